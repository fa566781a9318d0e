// Compressed copies of what is sent many times.
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Bytes, Encoded } from './content.ts'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/**
 * `best` takes 300 times as long as `quick` and saves a tenth of the bytes: it is for the build. It keeps a thread of
 * Node's pool busy for seconds, and every file operation and signature check of the running shop waits for that pool.
 */
const efforts = {
  best: { brotli: constants.BROTLI_MAX_QUALITY, gzip: 9 },
  quick: { brotli: 5, gzip: 6 },
}

export async function compress(identity: Bytes, effort: keyof typeof efforts): Promise<Required<Encoded>> {
  const level = efforts[effort]
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: level.brotli,
    [constants.BROTLI_PARAM_SIZE_HINT]: identity.byteLength,
  }
  const [br, gz] = await Promise.all([brotli(identity, { params }), zip(identity, { level: level.gzip })])
  return { identity, br, gzip: gz }
}
