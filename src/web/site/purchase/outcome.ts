// The words for what has become of a purchase, with scripts or without.
import { dashboardTexts } from '#words/dashboard.ts'
import { fill } from '#words/texts.ts'
import { giftTexts } from '#words/gift.ts'
import { guestTexts } from '#words/guest.ts'
import { formatDay } from '#contract/intl.ts'
import { parcelSentence } from '#contract/orders/parcel-words.ts'
import { addressLines } from '#contract/orders/postal.ts'
import type { GuestPurchase } from '#contract/orders/guest-purchases.ts'
import { declaredWords } from '../../purchase/acknowledgement.tsx'

/** `bought`: it gives what was bought. */
type State = 'held' | 'pending' | 'canceled' | 'given_away' | 'ended' | 'bought'

export type Outcome = { state: State; title: string; text: string }

/** `returnsTo`: the postal address for a book that is given back. */
export function outcomeOf(purchase: GuestPurchase, returnsTo: string | null): Outcome {
  const { status, is_held, is_given_away, product } = purchase
  if (is_held) return { state: 'held', title: guestTexts.held, text: guestTexts.heldText }
  if (status === 'pending')
    return { state: 'pending', title: guestTexts.confirming, text: guestTexts.confirmingText }
  if (status === 'canceled' && purchase.amount === 0)
    return { state: 'ended', title: guestTexts.ended, text: dashboardTexts.takenBack }
  if (status === 'canceled')
    return { state: 'canceled', title: guestTexts.canceled, text: guestTexts.canceledText }
  if (is_given_away) return { state: 'given_away', title: giftTexts.givenAway, text: giftTexts.givenAwayText }
  const end = endOf(purchase, returnsTo)
  if (end) {
    const text = product.is_digital ? `${end} ${guestTexts.filesEnded}` : end
    return { state: 'ended', title: guestTexts.ended, text }
  }
  const isPreordered = product.release !== null && !product.release.is_partial
  const bought = isPreordered ? guestTexts.preordered : guestTexts.yours
  return { state: 'bought', title: guestTexts.thanks, text: fill(bought, { product: product.name }) }
}

function endOf(
  { status, withdrawal, is_withdrawn, is_going_back }: GuestPurchase,
  returnsTo: string | null,
): string | undefined {
  if (status === 'disputed') return dashboardTexts.disputed
  if (!is_withdrawn && status !== 'refunded' && !is_going_back) return undefined
  return withdrawal ? declaredWords(withdrawal, returnsTo) : guestTexts.endedText
}

/** Says who sends what to whom. */
export function parcelWords({ product, own }: Pick<GuestPurchase, 'product' | 'own'>, name: string): string {
  return parcelSentence(product.format, name, own?.address && addressLines(own.address).join(', '))
}

type Opened = { isLink: boolean; newLinkUntil?: string | undefined }

/** The last moment at which this order can be opened: by a link that the buyer has, else in this browser. */
export function untilWords(
  { access_ends_at, link_ends_at }: GuestPurchase,
  { isLink, newLinkUntil }: Opened,
  format: (time: string) => string,
): string | undefined {
  const { untilLink, untilHere, untilAnyLink } = guestTexts
  const ofLink = newLinkUntil ?? link_ends_at
  if (!isLink && ofLink && ofLink > (access_ends_at ?? ''))
    return fill(untilAnyLink, { time: format(ofLink) })
  if (access_ends_at === null) return undefined
  return fill(isLink ? untilLink : untilHere, { time: format(access_ends_at) })
}

/** Says when the product comes out, if it has not yet. */
export function releaseWords(
  { product: { release } }: GuestPurchase,
  sendsMail: boolean,
): string | undefined {
  if (!release) return undefined
  return fill(sendsMail ? guestTexts.outOnMailed : guestTexts.outOn, { date: formatDay(release.on) })
}
