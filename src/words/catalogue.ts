// The standard texts by key; which of them the author may change, and into what.
import { accountTexts } from './account.ts'
import { accountEmailsTexts } from './account-emails.ts'
import { addressTexts } from './address.ts'
import { authTexts } from './auth.ts'
import { buyingTexts } from './buying.ts'
import { cardsTexts } from './cards.ts'
import { controlsTexts } from './controls.ts'
import { dashboardTexts } from './dashboard.ts'
import { emailsTexts } from './emails.ts'
import { factorsTexts } from './factors.ts'
import { fieldsTexts } from './fields.ts'
import { formatsTexts } from './formats.ts'
import { giftTexts } from './gift.ts'
import { guestTexts } from './guest.ts'
import { homeTexts } from './home.ts'
import { legalTexts } from './legal.ts'
import { notFoundTexts } from './not-found.ts'
import { ownDataTexts } from './own-data.ts'
import { ownDataValuesTexts } from './own-data-values.ts'
import { outagesTexts } from './outages.ts'
import { previewTexts } from './preview.ts'
import { receiptTexts } from './receipt.ts'
import { refusalsTexts, responsesTexts } from './refusals.ts'
import { refundsTexts } from './refunds.ts'
import { setupTexts } from './setup.ts'
import { shippingTexts } from './shipping.ts'
import { siteTexts } from './site.ts'
import { statusesTexts } from './statuses.ts'
import { tellMeTexts } from './tell-me.ts'
import { withdrawTexts } from './withdraw.ts'
import { fixedReason } from './fixed-texts.ts'
import { definitions, pluralForms, type Texts } from './texts.ts'

// All texts that visitors, readers and the receivers of emails see.

export const pagesTexts = {
  site: siteTexts,
  home: homeTexts,
  cards: cardsTexts,
  formats: formatsTexts,
  statuses: statusesTexts,
  buying: buyingTexts,
  gift: giftTexts,
  tellMe: tellMeTexts,
  guest: guestTexts,
  preview: previewTexts,
  auth: authTexts,
  dashboard: dashboardTexts,
  account: accountTexts,
  factors: factorsTexts,
  ownData: ownDataTexts,
  ownDataValues: ownDataValuesTexts,
  receipt: receiptTexts,
  address: addressTexts,
  refunds: refundsTexts,
  withdraw: withdrawTexts,
  shipping: shippingTexts,
  legal: legalTexts,
  notFound: notFoundTexts,
  controls: controlsTexts,
  fields: fieldsTexts,
  outages: outagesTexts,
  setup: setupTexts,
}

/** The browser gets them by the API only. */
export const apiTexts = { refusals: refusalsTexts, responses: responsesTexts }

export const mailsTexts = { emails: emailsTexts, accountEmails: accountEmailsTexts }

/** In English. */
export const catalogue: ReadonlyMap<string, string> = new Map([
  ...Object.values(pagesTexts).flatMap(standardTexts),
  ...Object.values(apiTexts).flatMap(standardTexts),
  ...Object.values(mailsTexts).flatMap(standardTexts),
])

function standardTexts(live: object): [key: string, text: string][] {
  const [name, texts] = definitions.get(live) ?? ['', {}]
  return flatten(texts, name)
}

function flatten(texts: object | string, path = ''): [key: string, text: string][] {
  if (typeof texts === 'string') return [[path, texts]]
  return Object.entries(texts).flatMap(([name, below]) => flatten(below, path ? `${path}.${name}` : name))
}

/** A language with more forms of a number than English has keys of its own. */
export function standardOf(key: string): string | undefined {
  const [, plural, form] = /^(.*)\.(\w+)$/.exec(key) ?? []
  const isForm = pluralForms.some((each) => each === form)
  return catalogue.get(key) ?? (isForm ? catalogue.get(`${plural}.other`) : undefined)
}

export const isChangeable = (key: string) => standardOf(key) !== undefined && !fixedReason(key)

/** Characters. A translation may be longer than the English. */
export function maxLengthOf(standard: string): number {
  return Math.max(120, 3 * standard.length)
}

/** Undefined where the text can be shown. An empty one stands for the standard text. */
export function textProblem(key: string, text: string): string | undefined {
  const standard = standardOf(key)
  if (standard === undefined) return 'There is no such text.'
  const reason = fixedReason(key)
  if (reason) return `This text cannot be changed: ${reason}`
  return replacementProblem(text, standard)
}

/** Of the author's text or a translation. `needed` are its placeholders. */
export function replacementProblem(
  text: string,
  standard: string,
  needed: readonly string[] = placeholdersOf(standard),
): string | undefined {
  const most = maxLengthOf(standard)
  if (text.length > most) return `This must be at most ${most} characters.`
  if (/\p{Cc}|[\u2028\u2029]/u.test(text)) return 'This must be one line.'
  return isBlank(text) ? undefined : placeholderProblem(text, needed)
}

export function placeholdersOf(text: string): string[] {
  return Array.from(text.matchAll(/\{(\w+)\}/g), ([, name = '']) => name)
}

function placeholderProblem(text: string, needed: readonly string[]): string | undefined {
  const result = placeholdersOf(text)
  const unknown = result.find((name) => !needed.includes(name))
  const known = needed.map((name) => `{${name}}`).join(', ')
  if (unknown)
    return needed.length > 0
      ? `{${unknown}} is not known here. What can be filled in: ${known}.`
      : `{${unknown}} is not known here: nothing is filled into this text.`
  const missing = needed.find((name) => !result.includes(name))
  if (missing) return `{${missing}} is missing: it is filled in when the text is shown.`
  const repeated = result.find((name, at) => result.indexOf(name) < at)
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

const pageNames = new Set(Object.keys(pagesTexts))

export const isOfPage = (key: string) => pageNames.has(key.slice(0, key.indexOf('.')))
