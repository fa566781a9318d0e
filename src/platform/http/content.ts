// Content that is compressed once: Hono’s compress, etag and serveStatic work at every request.
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip as gzipCompress } from 'node:zlib'
import type { HonoRequest } from 'hono'
import { rememberLast } from '../cached.ts'

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
  const accepted = offersOf(request)
  const { bytes, etag, headers } = variants.find(({ encoding }) => accepts(accepted, encoding)) ?? identity
  const ifNoneMatch = request.header('if-none-match')
  if (ifNoneMatch && status === 200 && matches(ifNoneMatch, etag)) {
    return new Response(null, { status: 304, headers })
  }
  return new Response(bytes, { status, headers })
}

/** The one that `respond` would choose, for content that is made for this request alone. */
export function acceptedEncoding(request: HonoRequest): Encoding {
  const accepted = offersOf(request)
  return (['br', 'gzip'] as const).find((encoding) => accepts(accepted, encoding)) ?? 'identity'
}

/** Most browsers send the same header. */
const readOffers = rememberLast(
  // Takes time proportional to the header's length, whatever it holds.
  (header): string[][] =>
    header
      .toLowerCase()
      .split(',')
      .map((offer) => offer.split(';').map((part) => part.trim())),
)

const offersOf = (request: HonoRequest) => readOffers(request.header('accept-encoding') ?? '')

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

/** Serves one client, which takes this encoding. */
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
