// A proxy that ends TLS in front of a shop, as Caddy does, with a certificate of its own for a name of its own.
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { generate } from 'selfsigned'

const name = 'books.example'

export type HttpsProxy = AsyncDisposable & {
  url: string
  /** Where requests go; what comes before it is set gets 502. */
  target: string | undefined
  /** The address of whoever calls, as it is passed on. */
  caller: string
  /** For the shop behind it: the name leads to this machine, and the certificate is valid. */
  env: Record<string, string>
}

export async function openHttpsProxy(): Promise<HttpsProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-certificate-'))
  const certificateFile = join(folder, 'certificate.pem')
  const { private: key, cert } = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: name }] }],
  })
  await writeFile(certificateFile, cert)
  const server = createServer({ key, cert }, (incoming, response) => {
    if (self.target) forward(self.target, incoming, response)
    else response.writeHead(502).end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const self: HttpsProxy = {
    url: `https://${name}:${port}`,
    target: undefined,
    caller: '127.0.0.1',
    env: {
      NODE_EXTRA_CA_CERTS: certificateFile,
      NODE_OPTIONS: `--import ${new URL('example-names.ts', import.meta.url).href}`,
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await rm(folder, { recursive: true })
    },
  }
  return self

  function forward(target: string, incoming: IncomingMessage, response: ServerResponse): void {
    const { method, url: path } = incoming
    const headers = { ...incoming.headers, 'x-forwarded-for': self.caller, 'x-forwarded-proto': 'https' }
    // The shop may be closing a connection that was kept open; Caddy repeats such a request.
    const outgoing = request(new URL(target), { method, path, headers, agent: false })
    outgoing.on('response', (answer) => {
      // The browser has left the page meanwhile.
      if (response.destroyed) answer.destroy()
      else {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        pipeline(answer, response, () => undefined)
      }
    })
    outgoing.on('error', () => response.destroy())
    pipeline(incoming, outgoing, () => undefined)
  }
}
