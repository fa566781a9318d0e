// As small as it gets: for what is compressed once and sent many times.
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Bytes, Encoded } from './content.ts'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

export async function compress(identity: Bytes): Promise<Required<Encoded>> {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: identity.byteLength,
  }
  const [br, gz] = await Promise.all([brotli(identity, { params }), zip(identity, { level: 9 })])
  return { identity, br, gzip: gz }
}
