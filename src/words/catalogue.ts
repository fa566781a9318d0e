// All texts that visitors, readers and the receivers of emails see; which of them the author may change.
import { accountEmailsTexts } from './account-emails.ts'
import { addressTexts } from './address.ts'
import { authTexts } from './auth.ts'
import { buyingTexts } from './buying.ts'
import { cardsTexts } from './cards.ts'
import { controlsTexts } from './controls.ts'
import { dashboardTexts } from './dashboard.ts'
import { emailsTexts } from './emails.ts'
import { fixedReason } from './fixed-texts.ts'
import { guestTexts } from './guest.ts'
import { homeTexts } from './home.ts'
import { legalTexts } from './legal.ts'
import { notFoundTexts } from './not-found.ts'
import { previewTexts } from './preview.ts'
import { receiptTexts } from './receipt.ts'
import { setupTexts } from './setup.ts'
import { siteTexts } from './site.ts'
import { definitions, type Texts } from './texts.ts'

export const pagesTexts = [
  siteTexts,
  homeTexts,
  cardsTexts,
  buyingTexts,
  guestTexts,
  previewTexts,
  authTexts,
  dashboardTexts,
  receiptTexts,
  addressTexts,
  legalTexts,
  notFoundTexts,
  controlsTexts,
  setupTexts,
]

export const mailsTexts = [emailsTexts, accountEmailsTexts]

const ofPages = new Map(pagesTexts.flatMap(standardTexts))

/** Standard texts by key. */
export const catalogue: ReadonlyMap<string, string> = new Map([
  ...ofPages,
  ...mailsTexts.flatMap(standardTexts),
])

function standardTexts(live: object): [key: string, text: string][] {
  const [name, texts] = definitions.get(live) ?? ['', {}]
  return flatten(name, texts)
}

function flatten(path: string, value: object | string): [key: string, text: string][] {
  if (typeof value === 'string') return [[path, value]]
  return Object.entries(value).flatMap(([name, below]) => flatten(`${path}.${name}`, below))
}

export const isChangeable = (key: string) => catalogue.has(key) && !fixedReason(key)

/** Characters. A translation may be longer than the English. */
export function maxLengthOf(standard: string): number {
  return Math.max(120, 3 * standard.length)
}

/** Undefined where the text can be shown. An empty one stands for the standard text. */
export function textProblem(key: string, text: string): string | undefined {
  const standard = catalogue.get(key)
  if (standard === undefined) return 'There is no such text.'
  const reason = fixedReason(key)
  if (reason) return `This text cannot be changed: ${reason}`
  const most = maxLengthOf(standard)
  if (text.length > most) return `This must be at most ${most} characters.`
  if (/\p{Cc}|[\u2028\u2029]/u.test(text)) return 'This must be one line.'
  return isBlank(text) ? undefined : placeholderProblem(text, placeholdersOf(standard))
}

export function placeholdersOf(text: string): string[] {
  return Array.from(text.matchAll(/\{(\w+)\}/g), ([, name = '']) => name)
}

function placeholderProblem(text: string, needed: readonly string[]): string | undefined {
  const found = placeholdersOf(text)
  const unknown = found.find((name) => !needed.includes(name))
  const known = needed.map((name) => `{${name}}`).join(', ')
  if (unknown)
    return needed.length > 0
      ? `{${unknown}} is not known here. What can be filled in: ${known}.`
      : `{${unknown}} is not known here: nothing is filled into this text.`
  const missing = needed.find((name) => !found.includes(name))
  if (missing) return `{${missing}} is missing: it is filled in when the text is shown.`
  const repeated = found.find((name, at) => found.indexOf(name) < at)
  if (repeated) return `{${repeated}} can stand in the text only once.`
  return /[{}]/.test(text.replaceAll(/\{\w+\}/g, ''))
    ? 'Braces can stand only around what is filled in.'
    : undefined
}

const isBlank = (text: string) => text.trim() === ''

/** Without what is not known or not right in this version of the shop: there the standard texts are shown. */
export function shownTexts(changed: Texts): Texts {
  return Object.fromEntries(
    Object.entries(changed).filter(([key, text]) => !isBlank(text) && !textProblem(key, text)),
  )
}

/** Pages carry to the browser what they show; the words of emails stay on the server. */
export function textsOfPages(changed: Texts): Texts {
  return Object.fromEntries(Object.entries(shownTexts(changed)).filter(([key]) => ofPages.has(key)))
}
