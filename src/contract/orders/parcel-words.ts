// The sentences about a parcel: who posts it to whom, and how long it takes. Pages and emails say the same.
import { cardsTexts } from '#words/buying.ts'
import { guestTexts } from '#words/guest.ts'
import { fill, forCount } from '#words/texts.ts'
import { byLocale, formatDay } from '../intl.ts'
import type { Release } from '../catalog/products.ts'
import type { Format } from '../catalog/formats.ts'
import type { DeliveryDays } from './eu-paper.ts'

type Sent = { format: Format; release: Release | null }

/** `name`: the seller's, else the author's. `to`: the recipient and the place, where they are known. */
export function parcelSentence(
  { format, release }: Sent,
  name: string,
  to: string | null | undefined,
): string {
  const { printed, theAuthor, parcelTo, parcelToShip, parcelTogether } = guestTexts
  const book = printed[format === 'digital' ? 'bundle' : format]
  const author = name || theAuthor
  const sentence = to ? fill(parcelTo, { author, book, address: to }) : fill(parcelToShip, { author, book })
  return release?.is_partial ? `${sentence} ${parcelTogether}` : sentence
}

/** “Delivered in 3–5 working days”, or after the day on which it is out. */
export function deliveryTime(
  { release }: { release?: Release | null | undefined },
  { min, max }: DeliveryDays,
): string {
  const days = min === max ? numbers().format(max) : unbrokenRange(min, max)
  if (!release) return fill(forCount(cardsTexts.deliveryTime, max), { days })
  return fill(forCount(cardsTexts.deliveryAfter, max), { days, date: formatDay(release.on) })
}

/** Browsers break a line after most dashes; U+2060, the word joiner, forbids it and has no width. */
function unbrokenRange(min: number, max: number): string {
  const parts = numbers().formatRangeToParts(min, max)
  return parts.map(({ type, value }) => (type === 'literal' ? `\u2060${value}\u2060` : value)).join('')
}

const numbers = byLocale((locale) => new Intl.NumberFormat(locale))
