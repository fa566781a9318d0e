// A receiver of webhooks on this machine, over https, which checks what it gets with the library of Standard Webhooks.
import { once as eventOnce } from 'node:events'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { generate } from 'selfsigned'
import { Webhook } from 'standardwebhooks'
import { z } from 'zod'
import { once } from '#platform/cached.ts'

const message = z.strictObject({
  type: z.string(),
  timestamp: z.iso.datetime(),
  data: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
})

type Received = z.infer<typeof message> & { id: string; at: number; headers: IncomingHttpHeaders }

type Answer = number | ((response: ServerResponse, received: Received) => unknown)

export type WebhookReceiver = AsyncDisposable & {
  /** It says nothing of what is behind it. */
  url: string
  /** The certificate of the receiver. */
  certificate: string
  /** Undefined where signatures are not checked. */
  secret: string | undefined
  /** Those whose signature was right, in the order of their arrival. */
  received: Received[]
  /** The errors of the library. */
  refused: string[]
  answer: Answer
}

/** One for all receivers: of two with the same subject, only the first is trusted. */
const issue = once(async () => {
  const { private: key, cert: certificate } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    keyType: 'ec',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  })
  setDefaultCACertificates([...getCACertificates('default'), certificate])
  return { key, certificate }
})

/** This process trusts it from then on; another one by NODE_EXTRA_CA_CERTS. */
export async function openWebhookReceiver(): Promise<WebhookReceiver> {
  const { key, certificate } = await issue()
  const server = createServer({ key, cert: certificate }, (request, response) => {
    void (async () => {
      const body = await text(request)
      const { headers } = request
      try {
        if (self.secret) new Webhook(self.secret).verify(body, headersOf(headers))
      } catch (error) {
        self.refused.push(String(error))
        response.writeHead(400).end()
        return
      }
      const received = {
        ...message.parse(JSON.parse(body)),
        id: String(headers['webhook-id']),
        at: Number(headers['webhook-timestamp']),
        headers,
      }
      self.received.push(received)
      if (typeof self.answer === 'number') response.writeHead(self.answer).end()
      else await self.answer(response, received)
    })()
  })
  await eventOnce(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const self: WebhookReceiver = {
    url: `https://127.0.0.1:${port}/catch/zyxhidden?key=zyxhidden`,
    certificate,
    secret: undefined,
    received: [],
    refused: [],
    answer: 204,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await eventOnce(server, 'close')
    },
  }
  return self
}

function headersOf(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}
