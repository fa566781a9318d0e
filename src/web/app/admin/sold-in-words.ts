// What was sold, given away and tried, in the words that all screens share.
import type { SoldCounts } from '#contract/sold-counts.ts'
import { formatCount } from '../../format/format.tsx'

/** True of a shop, or a product, without a price. */
type GivenAway = { isGivenAway: boolean }

/** "12 sold", or "19 free copies" of what has no price: a reader may have several. */
export function soldInWords({ sold, free }: SoldCounts, { isGivenAway }: GivenAway): string {
  if (isGivenAway && sold === 0) return freeCopies(free)
  return `${formatCount(sold)} sold`
}

/** What stands beside it: "19 free copies given", "1 test order"; nothing of what there is none of. */
export function besideSold({ sold, free, tests }: SoldCounts, { isGivenAway }: GivenAway): string[] {
  const isSaid = isGivenAway && sold === 0
  return [
    free > 0 && !isSaid && `${freeCopies(free)} given`,
    tests > 0 && `${formatCount(tests)} test ${tests === 1 ? 'order' : 'orders'}`,
  ].filter((part) => part !== false)
}

const freeCopies = (count: number) => `${formatCount(count)} free ${count === 1 ? 'copy' : 'copies'}`

/** "12 sold · 19 free copies given · 1 test order" */
export function allInWords(counts: SoldCounts, givenAway: GivenAway): string {
  return [soldInWords(counts, givenAway), ...besideSold(counts, givenAway)].join(' · ')
}
