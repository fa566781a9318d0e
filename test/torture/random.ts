// Chance that can be repeated: the same seed gives the same numbers.

export type Random = {
  /** At least `from`, less than `to`. */
  between(from: number, to: number): number
  of<T>(choices: readonly T[]): T
}

export function createRandom(seed: number): Random {
  let state = seed
  /** mulberry32 */
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (from: number, to: number) => from + next() * (to - from)
  return { between, of: (choices) => choices[Math.floor(next() * choices.length)]! }
}
