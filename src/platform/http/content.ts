// Bytes that are ready to be sent, in each encoding a browser may ask for, and the choosing between them.
import { createHash } from 'node:crypto'

export type Bytes = Uint8Array<ArrayBuffer>
export type Encoded = { identity: Bytes; br?: Bytes | undefined; gzip?: Bytes | undefined }

type Variant = { bytes: Bytes; etag: string; headers: Record<string, string> }
export type Content = {
  status: number
  identity: Variant
  br?: Variant | undefined
  gzip?: Variant | undefined
}

/** What browsers send: the common answer needs no parsing. */
const usual = /^gzip, deflate, br\b(?!;)/

export function createContent(encoded: Encoded, headers: Record<string, string>, status = 200): Content {
  const hash = createHash('sha256').update(encoded.identity).digest('base64url').slice(0, 22)
  const isEncoded = Boolean(encoded.br)
  function variant(bytes: Bytes, encoding?: 'br' | 'gzip'): Variant {
    const etag = encoding ? `"${hash}-${encoding}"` : `"${hash}"`
    return {
      bytes,
      etag,
      headers: {
        ...headers,
        ...(isEncoded && { vary: 'accept-encoding' }),
        ...(encoding && { 'content-encoding': encoding }),
        etag,
        'content-length': String(bytes.byteLength),
      },
    }
  }
  return {
    status,
    identity: variant(encoded.identity),
    br: encoded.br && variant(encoded.br, 'br'),
    gzip: encoded.gzip && variant(encoded.gzip, 'gzip'),
  }
}

/** Its headers say how long the body is. */
export type Answer = { status: number; headers: Record<string, string>; body: Bytes | string | null }

/** The answer to a GET; for a HEAD, the body is left away by whoever sends it. */
export function respond(content: Content, accepted: string | undefined, known: string | undefined): Answer {
  const { bytes, etag, headers } = choose(content, accepted)
  if (known && content.status === 200 && isKnown(known, etag)) return { status: 304, headers, body: null }
  return { status: content.status, headers, body: bytes }
}

export function toResponse({ status, headers, body }: Answer): Response {
  return new Response(body, { status, headers })
}

function choose(content: Content, accepted: string | undefined): Variant {
  if (!accepted || !content.br) return content.identity
  if (usual.test(accepted)) return content.br
  const offers = readOffers(accepted)
  if (accepts(offers, 'br')) return content.br
  return content.gzip && accepts(offers, 'gzip') ? content.gzip : content.identity
}

/** Each encoding with its parameters. Takes time in proportion to the header's length, whatever stands in it. */
function readOffers(accepted: string): string[][] {
  return accepted
    .toLowerCase()
    .split(',')
    .map((offer) => offer.split(';').map((part) => part.trim()))
}

/** RFC 9110 §12.5.3, but for preferring one encoding over another: ours are ordered by size. */
function accepts(offers: string[][], encoding: string): boolean {
  const offer = offers.find(([name]) => name === encoding) ?? offers.find(([name]) => name === '*')
  return offer !== undefined && !offer.some((part) => /^q=0(\.0*)?$/.test(part))
}

function isKnown(known: string, etag: string): boolean {
  return known.split(',').some((tag) => {
    const strong = tag.trim().replace(/^W\//, '')
    return strong === '*' || strong === etag
  })
}
