// The words for what has become of a purchase, with scripts or without.
import { dashboardTexts, receiptTexts } from '#words/dashboard.ts'
import { fill } from '#words/texts.ts'
import { giftTexts } from '#words/gift.ts'
import { guestTexts } from '#words/guest.ts'
import { isPreorder, lacksFile } from '#contract/catalog/preorder.ts'
import { formatDay } from '#contract/intl.ts'
import { formatMoney, fromCents, toCents } from '#contract/money.ts'
import type { DeliveryDays } from '#contract/orders/eu-paper.ts'
import type { ReturnTerms } from '#contract/book/shown-book.ts'
import { deliveryTime, parcelSentence } from '#contract/orders/parcel-words.ts'
import { addressLines } from '#contract/orders/postal.ts'
import type { GuestPurchase } from '#contract/orders/guest-purchases.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { declaredWords } from '../../purchase/acknowledgement.tsx'

/** `bought`: it gives what was bought; `ended`: it gives nothing more, or nothing until the bank has decided. */
type State = 'held' | 'pending' | 'canceled' | 'given_away' | 'ended' | 'bought'

export type Outcome = { state: State; title: string; text: string }

export function outcomeOf(purchase: GuestPurchase, returns: ReturnTerms): Outcome {
  const { status, is_held, is_given_away, product } = purchase
  if (is_held) return { state: 'held', title: guestTexts.held, text: guestTexts.heldText }
  if (status === 'pending')
    return { state: 'pending', title: guestTexts.confirming, text: guestTexts.confirmingText }
  if (status === 'canceled' && purchase.amount === 0)
    return { state: 'ended', title: guestTexts.ended, text: dashboardTexts.takenBack }
  if (status === 'canceled')
    return { state: 'canceled', title: guestTexts.canceled, text: guestTexts.canceledText }
  if (is_given_away) return { state: 'given_away', title: giftTexts.givenAway, text: giftTexts.givenAwayText }
  const end = endOf(purchase, returns)
  if (end) return { state: 'ended', ...end }
  const { withdrawal } = purchase
  if (withdrawal?.state === 'partly' || withdrawal?.state === 'refused')
    return { state: 'bought', title: guestTexts.page, text: declaredWords(withdrawal, returns) }
  const bought = isPreorder(product)
    ? guestTexts.preordered
    : product.is_digital
      ? guestTexts.yours
      : guestTexts.ordered
  return { state: 'bought', title: guestTexts.thanks, text: fill(bought, { product: product.name }) }
}

function endOf(
  {
    status,
    is_dispute_lost,
    withdrawal,
    is_withdrawn,
    is_going_back,
    refund_is_of_paper,
    product,
  }: GuestPurchase,
  returns: ReturnTerms,
): Omit<Outcome, 'state'> | undefined {
  // A pre-order has none yet.
  const hasFiles = product.is_digital && !isPreorder(product)
  if (is_dispute_lost)
    return { title: guestTexts.ended, text: withFiles(dashboardTexts.disputeLost, guestTexts.filesEnded) }
  if (status === 'disputed')
    return {
      title: guestTexts.page,
      text: hasFiles ? dashboardTexts.disputedDigital : dashboardTexts.disputed,
    }
  if (!is_withdrawn && status !== 'refunded' && !is_going_back) return undefined
  const text = withdrawal ? declaredWords(withdrawal, returns) : guestTexts.endedText
  // The author may refuse what no right covers, or refund the paper alone; the files open again then.
  if (withdrawal?.state === 'waiting' && (withdrawal.right === 'request' || refund_is_of_paper)) {
    const { law, promise } = dashboardTexts.refundAsked
    const received = withdrawal.right === 'law' ? law : promise
    return { title: received, text: withFiles(text, dashboardTexts.filesWait) }
  }
  return { title: endTitle(), text: withFiles(text, guestTexts.filesEnded) }

  function endTitle(): string {
    if (withdrawal && is_withdrawn && withdrawal.right === 'law') return guestTexts.withdrawn
    if (status === 'refunded') return guestTexts.refunded
    const isUnderWay = withdrawal?.state === 'waiting' || withdrawal?.state === 'on_its_way'
    return isUnderWay ? dashboardTexts.refundAsked.promise : guestTexts.ended
  }

  function withFiles(words: string, ofFiles: string): string {
    return hasFiles ? `${words} ${ofFiles}` : words
  }
}

type OrderFact = readonly [name: string, value: string]

/** Names the order, what was paid, and what of it went back. */
export function orderFacts(
  purchase: Pick<GuestPurchase, 'number' | 'amount' | 'refunded' | 'taken_by_bank' | 'currency'>,
): OrderFact[] {
  const { number, amount, taken_by_bank, currency } = purchase
  const refunded = fromCents(toCents(purchase.refunded) - toCents(taken_by_bank))
  const { refund, dispute } = receiptTexts.adjustments
  return [
    [guestTexts.order, formatOrderNumber(number)],
    [guestTexts.amount, formatMoney(amount, currency)],
    ...(refunded > 0 ? [[refund, formatMoney(-refunded, currency)] as const] : []),
    ...(taken_by_bank > 0 ? [[dispute, formatMoney(-taken_by_bank, currency)] as const] : []),
  ]
}

/** Says who sends what to whom, and how long that takes. */
export function parcelWords(
  { product, own }: Pick<GuestPurchase, 'product' | 'own'>,
  name: string,
  days: DeliveryDays | null,
): string {
  const sentence = parcelSentence(product, name, own?.address && addressLines(own.address).join(', '))
  return days ? `${sentence} ${deliveryTime(product, days)}.` : sentence
}

type Opened = { isLink: boolean; newLinkUntil?: string | undefined }

/** The last moment at which this order can be opened, and by what: a link that the buyer has, else this browser. */
export function untilWords(
  { access_ends_at, last_link }: Pick<GuestPurchase, 'access_ends_at' | 'last_link'>,
  { isLink, newLinkUntil }: Opened,
  format: (time: string) => string,
): string | undefined {
  const { untilLink, untilHere, untilReceipt, untilAnyLink } = guestTexts
  const last = newLinkUntil ? { is_in_receipt: false, ends_at: newLinkUntil } : last_link
  if (!isLink && last && last.ends_at > (access_ends_at ?? ''))
    return fill(last.is_in_receipt ? untilReceipt : untilAnyLink, { time: format(last.ends_at) })
  if (access_ends_at === null) return undefined
  return fill(isLink ? untilLink : untilHere, { time: format(access_ends_at) })
}

type OverOf = { isLink: boolean; sendsMail: boolean }

/** Why it gives nothing more here, and what still opens it. */
export function overWords(
  { last_link }: Pick<GuestPurchase, 'last_link'>,
  { isLink, sendsMail }: OverOf,
  format: (time: string) => string,
): string {
  const { linkOver, orderLinkNoMail, browserOver, unknownText, unknownNoMail } = guestTexts
  if (isLink) return sendsMail ? linkOver : orderLinkNoMail
  if (!sendsMail) return unknownNoMail
  return last_link?.is_in_receipt ? fill(browserOver, { time: format(last_link.ends_at) }) : unknownText
}

/** Says when the product, or the rest of it, comes out, if it has not yet, or that only its file is still to come. */
export function releaseWords({ product, is_over }: GuestPurchase, sendsMail: boolean): string | undefined {
  const { release } = product
  const { partly, fileToCome } = dashboardTexts.release
  if (lacksFile(product)) return is_over ? undefined : fileToCome
  if (!release) return undefined
  const date = formatDay(release.on)
  if (release.is_partial) return fill(partly, { date })
  return fill(sendsMail ? guestTexts.outOnMailed : guestTexts.outOn, { date })
}
