// All texts that visitors, readers and the receivers of emails see, by key; which of them the author may change, and into
// what.
import { accountTexts } from './account.ts'
import { accountEmailsTexts } from './account-emails.ts'
import {
  addressTexts,
  buyingTexts,
  cardsTexts,
  formatsTexts,
  refundsTexts,
  shippingTexts,
  statusesTexts,
  tellMeTexts,
} from './buying.ts'
import { authTexts, setupTexts } from './auth.ts'
import { controlsTexts, legalTexts, notFoundTexts, siteTexts } from './site.ts'
import { giftTexts } from './gift.ts'
import { dashboardTexts, receiptTexts } from './dashboard.ts'
import { emailsTexts } from './emails.ts'
import { factorsTexts } from './factors.ts'
import { fieldsTexts } from './fields.ts'
import { findPurchaseTexts } from './find-purchase.ts'
import { guestTexts } from './guest.ts'
import { homeTexts, previewTexts } from './home.ts'
import { excerptTexts } from './excerpt.ts'
import { lettersTexts } from './letters.ts'
import { mailChoicesTexts } from './mail-choices.ts'
import { ownDataTexts, ownDataValuesTexts } from './own-data.ts'
import { outagesTexts } from './site.ts'
import { purchaseMovedTexts } from './purchase-moved.ts'
import { refusalsTexts, responsesTexts } from './refusals.ts'
import { slipTexts } from './slip.ts'
import { withdrawTexts } from './withdraw.ts'
import { loadTranslation } from './languages/languages.ts'
import { definitions, pluralForms, type Texts } from './texts.ts'

export const pagesTexts = {
  site: siteTexts,
  home: homeTexts,
  cards: cardsTexts,
  formats: formatsTexts,
  statuses: statusesTexts,
  buying: buyingTexts,
  gift: giftTexts,
  tellMe: tellMeTexts,
  letters: lettersTexts,
  excerpt: excerptTexts,
  guest: guestTexts,
  preview: previewTexts,
  auth: authTexts,
  dashboard: dashboardTexts,
  account: accountTexts,
  findPurchase: findPurchaseTexts,
  purchaseMoved: purchaseMovedTexts,
  mailChoices: mailChoicesTexts,
  factors: factorsTexts,
  ownData: ownDataTexts,
  ownDataValues: ownDataValuesTexts,
  receipt: receiptTexts,
  slip: slipTexts,
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

/** All texts in English, by key. */
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

/** Returns the texts in this language where the author changes nothing. */
export async function loadStandardTexts(tag: string): Promise<ReadonlyMap<string, string>> {
  const translated = Object.entries(await loadTranslation(tag))
  return translated.length > 0 ? new Map(translated) : catalogue
}

/** Counts the texts that may be changed, and those that are. */
export function countChanged(changed: Texts): { all: number; changed: number } {
  const changeable = Array.from(catalogue.keys()).filter(isChangeable)
  const shown = shownTexts(changed)
  return { all: changeable.length, changed: changeable.filter((key) => key in shown).length }
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

/** Checks the author's text or a translation. `needed` are its placeholders. */
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

/** Leaves out what is not known or not right in this version of the shop: there the standard texts are shown. */
export function shownTexts(changed: Texts): Texts {
  return Object.fromEntries(
    Object.entries(changed).filter(([key, text]) => !isBlank(text) && !textProblem(key, text)),
  )
}

const pageNames = new Set(Object.keys(pagesTexts))

export const isOfPage = (key: string) => pageNames.has(key.slice(0, key.indexOf('.')))

/** The author cannot change these. A name that ends with a dot stands for all texts below it. */
const fixed: Record<string, readonly string[]> = {
  'buyers consent by these words, and the shop keeps them as evidence.': [
    'buying.beforeYouBuy',
    'buying.deliveredAtOnce',
    'buying.partDeliveredAtOnce',
    'buying.tickBox',
    'buying.agree',
    'emails.receipt.agreed',
    'letters.agree',
    'letters.program',
    'receipt.agreed',
    'refusals.purchases.consent_needed',
    'site.beforeYouBuy',
  ],
  'they say what becomes of the buyer’s money.': [
    'dashboard.accessEnds',
    'dashboard.confirmWithdrawal',
    'dashboard.getMoneyBack',
    'dashboard.goingBack',
    'dashboard.otherOrder',
    'dashboard.partiallyRefunded',
    'dashboard.partlyGiven',
    'dashboard.received.',
    'dashboard.refund',
    'dashboard.refundAfterReturn',
    'dashboard.refundAsked.',
    'dashboard.refundGoesBack',
    'dashboard.refundProduct',
    'dashboard.refundQuestion',
    'dashboard.refunded',
    'dashboard.refundedOnRequest',
    'dashboard.refused',
    'dashboard.repeatWaits',
    'dashboard.requestTakenBack',
    'dashboard.restOfPayment',
    'dashboard.stuck',
    'dashboard.returnCost',
    'dashboard.takeRequestBack',
    'dashboard.waitsFor.',
    'dashboard.withdrawProduct',
    'dashboard.withdrawQuestion',
    'dashboard.withdrawing',
    'emails.refund.',
    'emails.withdrawal.',
    'emails.withdrawalDeclared.',
    'emails.withdrawalRefused.',
    'guest.ended',
    'guest.endedText',
    'guest.filesEnded',
    'guest.refunded',
    'guest.withdrawn',
    'receipt.adjustments.',
    'receipt.notRefunded',
    'receipt.paidAfterRefunds',
    'refusals.purchases.not_refundable',
    'responses.downloadEnded',
    'responses.refundRefused',
    'site.withdraw',
    'statuses.',
    'withdraw.',
  ],
  'the refund that the shop promises is a part of the contract.': [
    'emails.receipt.guarantee',
    'emails.receipt.guaranteeByLink',
    'receipt.guarantee',
    'receipt.guaranteeByLink',
    'refunds.',
  ],
  'the buyer has to know who sells.': [
    'buying.soldByLink',
    'cards.soldByLink',
    'emails.receipt.soldByLink',
    'receipt.forShop',
    'receipt.invoiceByLink',
    'receipt.link',
    'refusals.purchases.seller_changed',
  ],
  'whether money was taken has to be said as it is.': [
    'emails.receipt.noPayment',
    'emails.receipt.testMode',
    'receipt.noPayment',
    'receipt.testMode',
    'refusals.discounts.paused',
    'refusals.discounts.used_up',
    'refusals.payments.refused',
    'refusals.shipments.price_changed',
    'refusals.stock.sold_out',
    'responses.notChecked',
    'site.testMode',
    'site.testModeNotice',
  ],
}

export const fixedNames = Object.values(fixed).flat()

/** Says why the author cannot change the text. */
export function fixedReason(key: string): string | undefined {
  return Object.entries(fixed).find(([, names]) => names.some((name) => isBelow(key, name)))?.[0]
}

function isBelow(key: string, name: string): boolean {
  return name.endsWith('.') ? key.startsWith(name) : key === name
}
