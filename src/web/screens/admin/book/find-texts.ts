// Finds texts by what one sees on a page or in an email.
import { placeholdersOf } from '#words/catalogue.ts'
import type { Texts } from '#words/texts.ts'

/** By the first name of a text's key. */
export const placeNames: Record<string, string> = {
  site: 'On every page',
  home: 'Landing page',
  cards: 'Products',
  buying: 'Buying',
  guest: 'Buying with an address',
  gift: 'Gifts',
  tellMe: 'Waiting for a release',
  withdraw: 'Withdrawing from a contract',
  preview: 'Preview',
  auth: 'Signing in and up',
  dashboard: 'Purchases of a reader',
  formats: 'Formats',
  statuses: 'States of purchases',
  shipping: 'Shipping',
  refunds: 'Refunds',
  account: 'A reader’s account',
  factors: 'A reader’s second factors and passkeys',
  ownData: 'A reader’s own data',
  ownDataValues: 'States and events in a reader’s own data',
  receipt: 'Receipt',
  address: 'Addresses of parcels',
  legal: 'Terms, privacy and imprint',
  notFound: 'Page not found',
  controls: 'Buttons and fields',
  fields: 'What is wrong in a field',
  outages: 'While the shop is busy',
  refusals: 'What cannot be done',
  responses: 'What is said after a press',
  setup: 'Before the shop is open',
  emails: 'Emails',
  accountEmails: 'Emails about accounts',
}

export const placeOf = (key: string) => key.slice(0, key.indexOf('.'))

type Narrowing = {
  standards: ReadonlyMap<string, string>
  query: string
  place: string
  changed: Texts
  isChangedOnly: boolean
}

/** Keys; those that have the query as it is typed come first. */
export function findTexts({ standards, query, place, changed, isChangedOnly }: Narrowing): string[] {
  const asked = simplify(query)
  const keys = Array.from(standards.keys()).filter(
    (key) => (!place || placeOf(key) === place) && (!isChangedOnly || key in changed),
  )
  if (!asked) return keys
  const seen = (key: string) => [standards.get(key) ?? '', changed[key] ?? '']
  const found = keys.filter((key) => seen(key).some((text) => isSeenAs(text, asked)))
  const isWhole = (key: string) => seen(key).some((text) => simplify(text).includes(asked))
  return [...found.filter(isWhole), ...found.filter((key) => !isWhole(key))]
}

/** A placeholder may stand for any words, of which some may not be typed yet. */
function isSeenAs(text: string, asked: string): boolean {
  const simple = simplify(text)
  const words = asked.split(' ')
  const missing = words.filter((word) => !simple.includes(word)).length
  const isPart = missing <= placeholdersOf(text).length && missing < words.length
  return isPart || isFilled(simple, asked)
}

function isFilled(simple: string, asked: string): boolean {
  const literals = simple.split(/\{\w+\}/)
  const [first = '', last = ''] = [literals[0], literals.at(-1)]
  if (literals.length === 1 || !/\p{L}{2}/u.test(literals.join(' '))) return false
  let at = 0
  const isInOrder = literals.every((literal) => {
    const found = asked.indexOf(literal, at)
    at = found + literal.length
    return found >= 0
  })
  return isInOrder && asked.startsWith(first) && asked.endsWith(last)
}

/** Without accents, case and kinds of quotation marks. */
function simplify(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[“”]/g, '"')
    .toLowerCase()
    .trim()
    .replaceAll(/\s+/g, ' ')
}
