// Compressed once: Hono's compress, etag and serveStatic work at every request.
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip as gzipCompress } from 'node:zlib'
import { type HonoRequest, type Context, Hono } from 'hono'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Log } from '../log.ts'
import { create as contentDisposition } from 'content-disposition'
import type { Storage, StoredFile } from '../storage.ts'
import type { OpenAPIHono } from '@hono/zod-openapi'
import { once } from '../cached.ts'
import { memoized, type Settings } from '../settings.ts'
import { apiHeaders } from './errors.ts'
import type { ApiEnv } from './route.ts'

type Bytes = Uint8Array<ArrayBuffer>
type Encoded = { identity: Bytes; br?: Bytes | undefined; gzip?: Bytes | undefined }

export type Encoding = keyof Encoded
type Variant = { encoding: Encoding; bytes: Bytes; etag: string; headers: Record<string, string> }
export type Content = { status: number; variants: Variant[]; identity: Variant }

export function createContent(encoded: Encoded, headers: Record<string, string>, status = 200): Content {
  const hash = createHash('sha256').update(encoded.identity).digest('base64url').slice(0, 22)
  const vary = (encoded.br ?? encoded.gzip) && { vary: 'accept-encoding' }
  function variant(encoding: Encoding, bytes: Bytes): Variant {
    const isPlain = encoding === 'identity'
    const etag = isPlain ? `"${hash}"` : `"${hash}-${encoding}"`
    const coding = !isPlain && { 'content-encoding': encoding }
    const length = String(bytes.byteLength)
    return {
      encoding,
      bytes,
      etag,
      headers: { ...headers, ...vary, ...coding, etag, 'content-length': length },
    }
  }
  const { br, gzip } = encoded
  const variants = [...(br ? [variant('br', br)] : []), ...(gzip ? [variant('gzip', gzip)] : [])]
  return { status, variants, identity: variant('identity', encoded.identity) }
}

/** @hono/node-server sends a plain object without building a `Headers`. */
export function respond({ status, variants, identity }: Content, request: HonoRequest): Response {
  const accepted = readOffers(request)
  const { bytes, etag, headers } = variants.find(({ encoding }) => accepts(accepted, encoding)) ?? identity
  const ifNoneMatch = request.header('if-none-match')
  if (ifNoneMatch && status === 200 && matches(ifNoneMatch, etag)) {
    return new Response(null, { status: 304, headers })
  }
  return new Response(bytes, { status, headers })
}

/** The one that `respond` would choose, for content that is made for this request alone. */
export function acceptedEncoding(request: HonoRequest): Encoding {
  const accepted = readOffers(request)
  return (['br', 'gzip'] as const).find((encoding) => accepts(accepted, encoding)) ?? 'identity'
}

/** In time proportional to the header's length, whatever it holds. */
function readOffers(request: HonoRequest): string[][] {
  return (request.header('accept-encoding') ?? '')
    .toLowerCase()
    .split(',')
    .map((offer) => offer.split(';').map((part) => part.trim()))
}

/** RFC 9110 §12.5.3 without preferences: variants are ordered by size. */
function accepts(offers: string[][], encoding: string): boolean {
  const offer = offers.find(([name]) => name === encoding) ?? offers.find(([name]) => name === '*')
  return offer !== undefined && !offer.some((part) => /^q=0(\.0*)?$/.test(part))
}

function matches(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))
}

/**
 * `best` takes 300 times as long, blocks a thread of Node's pool for up to a second, and saves a tenth of the bytes: for the
 * build, and for pages that have stayed the same for a while.
 */
const efforts = { best: { br: constants.BROTLI_MAX_QUALITY, gzip: 9 }, quick: { br: 5, gzip: 6 } }

type Effort = keyof typeof efforts

export async function compress(identity: Bytes, effort: Effort): Promise<Required<Encoded>> {
  const [br, gzip] = await Promise.all([brotli(identity, effort), gzipped(identity, effort)])
  return { identity, br, gzip }
}

/** For one client, which takes this encoding. */
export async function compressAs(encoding: Encoding, identity: Bytes, effort: Effort): Promise<Encoded> {
  if (encoding === 'br') return { identity, br: await brotli(identity, effort) }
  if (encoding === 'gzip') return { identity, gzip: await gzipped(identity, effort) }
  return { identity }
}

function brotli(identity: Bytes, effort: Effort): Promise<Bytes> {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: efforts[effort].br,
    [constants.BROTLI_PARAM_SIZE_HINT]: identity.byteLength,
  }
  return promisify(brotliCompress)(identity, { params })
}

function gzipped(identity: Bytes, effort: Effort): Promise<Bytes> {
  return promisify(gzipCompress)(identity, { level: efforts[effort].gzip })
}

/** The content stays what it is, in fewer bytes. */
export async function compressBetter({ variants, identity }: Content): Promise<void> {
  const best = await compress(identity.bytes, 'best')
  for (const variant of variants) {
    const bytes = best[variant.encoding]
    variant.bytes = bytes
    variant.headers = { ...variant.headers, 'content-length': String(bytes.byteLength) }
  }
}

// A stored file as a response: whole, in part, or unchanged.

type Transfer = {
  status: 200 | 206
  headers: Record<string, string>
  content: Readable
  name: string
  /** Once it has ended or broken off, with how many bytes were handed over. */
  onEnd?: (bytes: number) => Promise<void>
}

export function sendStream(
  c: Context<{ Bindings: HttpBindings }>,
  log: Log,
  { status, headers, content, name, onEnd }: Transfer,
): Response {
  const { outgoing } = c.env
  outgoing.writeHead(status, headers)
  let bytes = 0
  content.on('data', (chunk: Buffer) => (bytes += chunk.length))
  pipeline(content, outgoing)
    .catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') log.error({ err: error }, `${name} broke off`)
    })
    .then(() => onEnd?.(Math.max(0, bytes - outgoing.writableLength)))
    .catch((error: unknown) => log.error({ err: error }, `the end of ${name} could not be saved`))
  return RESPONSE_ALREADY_SENT
}

const chunkBytes = 256 * 1024

type SentFile = StoredFile & { file_path: string; file_name: string; media_type: string }

export async function sendFile(
  { storage, log }: { storage: Storage; log: Log },
  c: Context<{ Bindings: HttpBindings }>,
  file: SentFile,
  onEnd?: (bytes: number) => Promise<void>,
) {
  const fileHeaders = headersOf(file)
  if (isUnchanged(file, c.req.header('if-none-match'))) return c.body(null, 304, fileHeaders)

  const range = wantedRange(file, c.req.header('range'), c.req.header('if-range'))
  if (range === 'unsatisfiable') return c.body(null, 416, { 'content-range': `bytes */${file.size}` })
  const status = range ? 206 : 200
  const headers = {
    ...fileHeaders,
    'content-length': String(range ? range.end - range.start + 1 : file.size),
    ...(range && { 'content-range': `bytes ${range.start}-${range.end}/${file.size}` }),
  }
  if (c.req.method === 'HEAD') return c.body(null, status, headers)
  const content = await storage.read(file.file_path, range, chunkBytes)
  return sendStream(c, log, { status, headers, content, name: 'a download', ...(onEnd && { onEnd }) })
}

function headersOf({ etag, modified, file_name, media_type }: SentFile) {
  return {
    'content-type': media_type,
    'content-disposition': contentDisposition(file_name),
    'cache-control': 'private, no-cache, no-transform',
    'accept-ranges': 'bytes',
    etag,
    'last-modified': modified.toUTCString(),
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
  }
}

function isUnchanged({ etag }: SentFile, ifNoneMatch = '') {
  const matches = new Set([etag, `W/${etag}`, '*'])
  return ifNoneMatch.split(',').some((tag) => matches.has(tag.trim()))
}

/** Undefined for the whole file, as RFC 9110 has it for several ranges, other units, and a changed file. */
function wantedRange({ size, etag, modified }: SentFile, header = '', ifRange: string | undefined) {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/i.exec(header) ?? []
  if (!first && !last) return undefined
  if (first && last && Number(last) < Number(first)) return undefined
  if (ifRange && ifRange !== etag && ifRange !== modified.toUTCString()) return undefined
  const start = first ? Number(first) : Math.max(0, size - Number(last))
  const end = first && last ? Math.min(Number(last), size - 1) : size - 1
  return start < size ? { start, end } : 'unsatisfiable'
}

export function openapiApi(api: OpenAPIHono<ApiEnv>, settings: Settings): Hono {
  const describe = memoized(
    () => settings.get().shop.site_url,
    (siteUrl) =>
      once(async () => {
        const json = JSON.stringify(
          api.getOpenAPI31Document({
            openapi: '3.1.0',
            info: { title: 'Lectern', version: '1', description: 'The shop of one book.' },
            servers: [{ url: `${siteUrl}/api` }],
          }),
        )
        const headers = { ...apiHeaders, 'content-type': 'application/json', 'cache-control': 'no-cache' }
        return createContent(await compress(Buffer.from(json), 'quick'), headers)
      }),
  )
  return new Hono().get('/openapi.json', async ({ req }) => respond(await describe()(), req))
}
