// A bucket on this machine: as much of S3's protocol as files need, strict where S3 is.
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

type Stored = { bytes: Buffer; etag: string; modified: Date }

export type TestBucket = AsyncDisposable & {
  /** What STORAGE_URL is set to. */
  url: string
  files: Map<string, Stored>
}

export async function openTestBucket(name = 'books'): Promise<TestBucket> {
  const files = new Map<string, Stored>()

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, bucket, ...path] = decodeURIComponent(new URL(request.url!, 'http://s3').pathname).split('/')
    const key = path.join('/')
    const isSigned = request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 ')
    if (bucket !== name || !isSigned) return void response.writeHead(403).end()
    const file = files.get(key)
    switch (request.method) {
      case 'PUT': {
        const { headers } = request
        const isChunked = headers['content-encoding']?.includes('aws-chunked')
        const length = isChunked ? headers['x-amz-decoded-content-length'] : headers['content-length']
        if (length === undefined) return void response.writeHead(411).end()
        const body = await buffer(request)
        const bytes = isChunked ? unchunk(body) : body
        if (bytes.length !== Number(length)) return void response.writeHead(400).end()
        const etag = `"${createHash('md5').update(bytes).digest('hex')}"`
        files.set(key, { bytes, etag, modified: new Date() })
        return void response.writeHead(200, { etag }).end()
      }
      case 'DELETE':
        files.delete(key)
        return void response.writeHead(204).end()
      case 'HEAD':
      case 'GET':
        if (!file) return void response.writeHead(404).end()
        return send(file, request, response)
      default:
        response.writeHead(405).end()
    }
  }

  const server = createServer((request, response) => void respond(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `s3://${name}?region=eu-central-1&endpoint=${encodeURIComponent(endpoint)}`,
    files,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function send(
  { bytes, etag, modified }: Stored,
  { method, headers }: IncomingMessage,
  response: ServerResponse,
) {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? []
  const part = first && last ? bytes.subarray(Number(first), Number(last) + 1) : bytes
  const about = { etag, 'last-modified': modified.toUTCString(), 'content-length': part.length }
  response.writeHead(first ? 206 : 200, about).end(method === 'GET' ? part : undefined)
}

/** AWS's own chunks: "size in hex[;signature]\r\n bytes \r\n", the last one of size 0 with trailing checksums. */
function unchunk(body: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; ;) {
    const end = body.indexOf('\r\n', at)
    const size = Number.parseInt(body.toString('latin1', at, end), 16)
    if (!size) return Buffer.concat(parts)
    parts.push(body.subarray(end + 2, end + 2 + size))
    at = end + 2 + size + 2
  }
}
