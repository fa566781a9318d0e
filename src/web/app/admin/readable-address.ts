// Shows the author an address whose domain is of another script: as it reads, and as it is stored and mailed.
import punycode from 'punycode/'

/** `buch@bücher.example (buch@xn--bcher-kva.example)`; other addresses as they are, and none of an erased account. */
export function readableAddress(address: string | null): string {
  // oxlint-disable-next-line import/no-named-as-default-member -- the development server cannot import it by name
  const read = punycode.toUnicode(address ?? '')
  return read === (address ?? '') ? read : `${read} (${address})`
}
