// How the author sees an address whose domain is of another script: as it reads, and as it is stored and mailed.
import { toUnicode } from 'punycode/'

/** `buch@bücher.example (buch@xn--bcher-kva.example)`; other addresses as they are. */
export function readableAddress(address: string): string {
  const read = toUnicode(address)
  return read === address ? address : `${read} (${address})`
}
