// Chance that repeats itself: the same seed makes the same shop.

/** Between 0 and 1, for the `n`th of a kind; asked again, it is the same. */
export function chanceOf(seed: number, n: number, kind: number): number {
  return hash(seed, n, kind) / 2 ** 32
}

function hash(seed: number, n: number, kind: number): number {
  let mixed = Math.imul(n, 0x9e3779b1) ^ Math.imul(kind + 1, 0x85ebca6b) ^ Math.imul(seed + 1, 0xc2b2ae35)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** The `n`th id of a kind, made at `ms`: version 7, as the shop makes them. */
export function idOf(seed: number, n: number, kind: number, ms: number): string {
  const high = Math.floor(ms / 2 ** 16)
  const [a, b, c] = [hash(seed, n, kind + 1), hash(seed, n, kind + 2), hash(seed, n, kind + 3)]
  const random = `7${hex[a >>> 16]!.slice(1)}-${hex[0x8000 | (a & 0x3fff)]}-${hex[b & 0xffff]}${hex[c >>> 16]}${hex[c & 0xffff]}`
  return `${hex[high >>> 16]}${hex[high & 0xffff]}-${hex[Math.floor(ms) % 2 ** 16]}-${random}`
}

/** Sixteen bits each: millions of ids are made. */
const hex = Array.from({ length: 2 ** 16 }, (_, value) => value.toString(16).padStart(4, '0'))
