// Compressed once: Hono's compress, etag and serveStatic work at every request.
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip as gzipCompress } from 'node:zlib'
import type { HonoRequest } from 'hono'

type Bytes = Uint8Array<ArrayBuffer>
export type Encoded = { identity: Bytes; br?: Bytes | undefined; gzip?: Bytes | undefined }

type Encoding = keyof Encoded
type Variant = { encoding: Encoding; bytes: Bytes; etag: string; headers: Record<string, string> }
export type Content = { status: number; variants: Variant[]; identity: Variant }

export function createContent(encoded: Encoded, headers: Record<string, string>, status = 200): Content {
  const hash = createHash('sha256').update(encoded.identity).digest('base64url').slice(0, 22)
  const vary = encoded.br && { vary: 'accept-encoding' }
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
  const accepted = readOffers(request.header('accept-encoding') ?? '')
  const { bytes, etag, headers } = variants.find(({ encoding }) => accepts(accepted, encoding)) ?? identity
  const ifNoneMatch = request.header('if-none-match')
  if (ifNoneMatch && status === 200 && matches(ifNoneMatch, etag)) {
    return new Response(null, { status: 304, headers })
  }
  return new Response(bytes, { status, headers })
}

/** In time proportional to the header's length, whatever it holds. */
function readOffers(accepted: string): string[][] {
  return accepted
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

export async function compress(identity: Bytes, effort: keyof typeof efforts): Promise<Required<Encoded>> {
  const level = efforts[effort]
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: level.br,
    [constants.BROTLI_PARAM_SIZE_HINT]: identity.byteLength,
  }
  const [br, gzip] = await Promise.all([
    promisify(brotliCompress)(identity, { params }),
    promisify(gzipCompress)(identity, { level: level.gzip }),
  ])
  return { identity, br, gzip }
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
