// What is said of a product that is not out, or of a bundle that is not complete, before it is paid and on its receipt.
import { cardsTexts } from '#words/buying.ts'
import { fill } from '#words/texts.ts'
import type { Release } from '../catalog/products.ts'
import { formatDay } from '../intl.ts'

type Coming = { release: Release; ships: boolean }

/** `isCharged`: the words say that it is paid today. The files of a bundle do not wait; its books on paper are one parcel. */
export function comingWords({ release, ships }: Coming, isCharged = false): string {
  const { outOn, preorder, completeOn, completeWithPaper } = cardsTexts
  const whole = isCharged ? preorder : outOn
  const partly = ships ? completeWithPaper : completeOn
  return fill(release.is_partial ? partly : whole, { date: formatDay(release.on) })
}
