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

/** What goes wrong with a request: an error response, or the connection closed before, within or after the transfer. */
export const bucketFaults = ['500', '503', 'cut before', 'cut within', 'cut after'] as const
export type BucketFault = (typeof bucketFaults)[number]

type Options = { name?: string; /** Asked for each request. */ chooseFault?: () => BucketFault | undefined }

export async function openTestBucket({ name = 'books', chooseFault }: Options = {}): Promise<TestBucket> {
  const files = new Map<string, Stored>()

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url!, 'http://s3')
    const [, bucket, ...path] = decodeURIComponent(pathname).split('/')
    const key = path.join('/')
    const fault = chooseFault?.()
    if (fault === '500' || fault === '503') return refuse(Number(fault), response)
    if (fault === 'cut before') return void request.socket.destroy()
    const isSigned = request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 ')
    if (bucket !== name || !isSigned) return void response.writeHead(403).end()
    const file = files.get(key)
    switch (request.method) {
      case 'PUT': {
        const { headers } = request
        const isChunked = headers['content-encoding']?.includes('aws-chunked')
        const length = isChunked ? headers['x-amz-decoded-content-length'] : headers['content-length']
        if (length === undefined) return void response.writeHead(411).end()
        if (fault === 'cut within') return void request.once('data', () => request.socket.destroy())
        const body = await buffer(request)
        const bytes = isChunked ? unchunk(body) : body
        if (bytes.length !== Number(length)) return void response.writeHead(400).end()
        const etag = `"${createHash('md5').update(bytes).digest('hex')}"`
        files.set(key, { bytes, etag, modified: new Date() })
        if (fault) return void request.socket.destroy()
        return void response.writeHead(200, { etag }).end()
      }
      case 'DELETE':
        files.delete(key)
        if (fault) return void request.socket.destroy()
        return void response.writeHead(204).end()
      case 'HEAD':
      case 'GET':
        if (!key) return list(files.keys(), searchParams.get('prefix') ?? '', response)
        if (!file) return void response.writeHead(404).end()
        return send(file, request, response, fault !== undefined)
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

function refuse(status: number, response: ServerResponse): void {
  const code = status === 503 ? 'SlowDown' : 'InternalError'
  response.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`)
}

/** All on one page. */
function list(keys: Iterable<string>, prefix: string, response: ServerResponse): void {
  const found = [...keys].filter((key) => key.startsWith(prefix))
  const contents = found.map((key) => `<Contents><Key>${key}</Key></Contents>`)
  response
    .writeHead(200, { 'content-type': 'application/xml' })
    .end(`<ListBucketResult>${contents.join('')}<IsTruncated>false</IsTruncated></ListBucketResult>`)
}

function send(
  { bytes, etag, modified }: Stored,
  { method, headers }: IncomingMessage,
  response: ServerResponse,
  isCut: boolean,
): void {
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? []
  const [start, end] = [Number(first ?? 0), Math.min(Number(last || Infinity), bytes.length - 1)]
  const part = bytes.subarray(start, end + 1)
  const about = {
    etag,
    'last-modified': modified.toUTCString(),
    'content-length': part.length,
    ...(first && { 'content-range': `bytes ${start}-${end}/${bytes.length}` }),
  }
  response.writeHead(first ? 206 : 200, about)
  if (isCut) response.write(part.subarray(0, part.length >> 1), () => response.destroy())
  else response.end(method === 'GET' ? part : undefined)
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
