// A plain port that leads to a site of Caddy's by https, with the certificate that Caddy has made for itself: the site's name
// is known in the machine only.
import { createServer } from 'node:http'
import { once } from 'node:events'
import { Agent, request } from 'node:https'
import { pipeline } from 'node:stream'

export async function openEntry(name: string, ca: string): Promise<AsyncDisposable & { url: string }> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const server = createServer((incoming, response) => {
    const { method, url: path, headers } = incoming
    const outgoing = request(
      {
        host: '127.0.0.1',
        port: 443,
        servername: name,
        ca,
        agent,
        method,
        path,
        headers: { ...headers, host: name },
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        pipeline(answer, response, () => undefined)
      },
    )
    outgoing.on('error', () => response.destroy())
    pipeline(incoming, outgoing, () => undefined)
  })
  // The machine may be busier than the five seconds of Node's own, and a client would meet the end of its connection.
  server.keepAliveTimeout = 120_000
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('There is no port.')
  return {
    url: `http://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      agent.destroy()
      server.closeAllConnections()
      server.close()
    },
  }
}
