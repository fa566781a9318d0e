// A bucket on this machine: as much of S3's protocol as files need, strict where S3 is. It checks no signatures.
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

type Stored = { bytes: Buffer; etag: string; md5: string; modified: Date }

export const region = 'eu-central-1'
export const credentials = { accessKeyId: 'shop:author', secretAccessKey: 'secret' }
/** What every test has in its environment: the client for S3 reads it by itself. */
export const s3Environment = {
  AWS_ACCESS_KEY_ID: credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
}

/** As STORAGE_URL and BACKUP_URL name a bucket. */
export function bucketUrl(name: string, endpoint: string): string {
  return `s3://${name}?region=${region}&endpoint=${encodeURIComponent(endpoint)}`
}

export type TestBucket = AsyncDisposable & {
  /** What STORAGE_URL is set to. */
  url: string
  files: Map<string, Stored>
}

/** What goes wrong with a request: an error response, or the connection closed before, within or after the transfer. */
export const bucketFaults = ['500', '503', 'cut before', 'cut within', 'cut after'] as const
export type BucketFault = (typeof bucketFaults)[number]

type Options = { name?: string; /** Asked for each request. */ chooseFault?: () => BucketFault | undefined }

const pageLength = 10

export async function openTestBucket({ name = 'books', chooseFault }: Options = {}): Promise<TestBucket> {
  const files = new Map<string, Stored>()

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url!, 'http://s3')
    const [, bucket, ...path] = decodeURIComponent(pathname).split('/')
    const key = path.join('/')
    const fault = chooseFault?.()
    if (fault === '500') return refuse(response, 500, 'InternalError')
    if (fault === '503') return refuse(response, 503, 'SlowDown')
    if (fault === 'cut before') return void request.socket.destroy()
    const isSigned = request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 ')
    if (bucket !== name || !isSigned) return refuse(response, 403, 'AccessDenied')
    const file = files.get(key)
    switch (request.method) {
      case 'PUT': {
        const { headers } = request
        const length = headers['content-length']
        if (length === undefined) return refuse(response, 411, 'MissingContentLength')
        if (fault === 'cut within') return void request.once('data', () => request.socket.destroy())
        const bytes = await buffer(request)
        const digest = createHash('md5').update(bytes).digest()
        const wanted = headers['content-md5']
        if (bytes.length !== Number(length)) return refuse(response, 400, 'IncompleteBody')
        if (wanted && wanted !== digest.toString('base64')) return refuse(response, 400, 'BadDigest')
        const md5 = String(headers['x-amz-meta-md5'])
        const etag = `"${digest.toString('hex')}"`
        files.set(key, { bytes, etag, md5, modified: new Date() })
        if (fault) return void request.socket.destroy()
        return void response.writeHead(200, { etag }).end()
      }
      case 'DELETE':
        files.delete(key)
        if (fault) return void request.socket.destroy()
        return void response.writeHead(204).end()
      case 'HEAD':
      case 'GET':
        if (!key) return list(searchParams, response)
        if (!file) return refuse(response, 404, 'NoSuchKey')
        return send(file, request, response, fault !== undefined)
      default:
        response.writeHead(405).end()
    }
  }

  function list(wanted: URLSearchParams, response: ServerResponse): void {
    const after = wanted.get('continuation-token') ?? ''
    const keys = [...files.keys()].filter((key) => key.startsWith(wanted.get('prefix') ?? '') && key > after)
    const page = keys.toSorted().slice(0, pageLength)
    const isWhole = page.length === keys.length
    const contents = page.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('')
    const next = isWhole ? '' : `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>`
    response.writeHead(200, { 'content-type': 'application/xml' })
    response.end(
      `<ListBucketResult><IsTruncated>${!isWhole}</IsTruncated>${next}${contents}</ListBucketResult>`,
    )
  }

  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: bucketUrl(name, endpoint),
    files,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`)
}

function send(
  { bytes, etag, md5, modified }: Stored,
  { method, headers }: IncomingMessage,
  response: ServerResponse,
  isCut: boolean,
): void {
  if (headers['if-match'] && headers['if-match'] !== etag) return refuse(response, 412, 'PreconditionFailed')
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? []
  const part = first && last ? bytes.subarray(Number(first), Number(last) + 1) : bytes
  response.writeHead(first ? 206 : 200, {
    etag,
    'x-amz-meta-md5': md5,
    'last-modified': modified.toUTCString(),
    'content-length': part.length,
    ...(first && { 'content-range': `bytes ${first}-${last}/${bytes.length}` }),
  })
  if (isCut) response.write(part.subarray(0, part.length >> 1), () => response.destroy())
  else response.end(method === 'GET' ? part : undefined)
}
