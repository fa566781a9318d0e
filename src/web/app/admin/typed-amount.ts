// Reads an amount of money in the notations of all countries, whatever the language of the browser.
import type { Currency } from '#contract/stripe.ts'
import { currenciesWithoutDecimals, toDecimal, withoutDecimals } from '#contract/money.ts'

/** The signs that people write beside an amount, besides the ISO code; in lower case, without a dot at the end. */
const signs: Record<Currency, string> = {
  aed: 'د.إ dh dhs',
  aud: '$ a$ au$',
  brl: 'r$',
  cad: '$ c$ ca$',
  chf: 'fr sfr',
  czk: 'kč kc',
  dkk: 'kr',
  eur: '€ euro euros',
  gbp: '£',
  hkd: '$ hk$',
  inr: '₹ rs',
  jpy: '¥ jp¥ 円 yen',
  krw: '₩ 원 won',
  mxn: '$ mx$ mex$',
  myr: 'rm',
  nok: 'kr',
  nzd: '$ nz$',
  pln: 'zł zl',
  ron: 'lei l',
  sek: 'kr',
  sgd: '$ s$ sg$',
  thb: '฿ บาท baht',
  usd: '$ us$ dollar dollars',
}

type TypedAmount = { amount: number; problem?: undefined } | { amount?: undefined; problem: string }

/** A point behind a letter belongs to a sign ("Rs.50"). "12,-" and "12.–" have no hundredths. */
const digitsAndSeparators = /(?:(?<!\p{L})[.,])?\d(?:[\d.,' ]*\d)?(?:[.,]-{0,2})?/u
const thousands = /^[1-9]\d{0,2}(?:[.,' ]\d{3})+$/
/** India's groups: 12,34,567. */
const lakhs = /^[1-9]\d?(?:,\d\d)+,\d{3}$/

/** Undefined where nothing is typed. What can be read in two ways is refused, and so is another currency's sign. */
export function readTypedAmount(text: string, currency: string): TypedAmount | undefined {
  const plain = toPlainSigns(text)
  if (plain === '') return undefined
  const [typed] = digitsAndSeparators.exec(plain) ?? []
  const beside = typed === undefined ? [plain] : plain.replace(typed, ' ').split(' ').filter(Boolean)
  if (typed === undefined || /\d/.test(beside.join(''))) return { problem: exampleIn(currency) }
  if (beside.join('').includes('-')) return { problem: 'An amount cannot be less than 0.' }
  const foreign = beside.find((token) => !isSignOf(currency, token))
  if (foreign && !isCurrency(foreign)) return { problem: exampleIn(currency) }
  if (foreign) return { problem: `This amount is in ${currency.toUpperCase()}, not in “${foreign}”.` }
  return readNumber(typed.replace(/[.,]-*$/, ''), currency)
}

/** Any script's digits as ASCII, any space as a space, and without letters that nobody sees. */
function toPlainSigns(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/\p{Nd}/gu, (digit) => String(valueOf(digit)))
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[‘’ʼ′`٬]/g, "'")
    .replaceAll(/[٫。·]/g, '.')
    .replaceAll(/[،、]/g, ',')
    .replaceAll(/[‐‑‒–—−]/g, '-')
    .trim()
    .toLowerCase()
}

/** The digits of each script are in order, from 0 on. */
function valueOf(digit: string): number {
  const code = digit.codePointAt(0) ?? 0
  const before = Array.from({ length: 9 }, (_, at) => String.fromCodePoint(code - 1 - at))
  const other = before.findIndex((each) => !/\p{Nd}/u.test(each))
  return other === -1 ? before.length : other
}

/** A sign or the code of any, with the sign's point or without. */
function isCurrency(token: string): boolean {
  const known = Object.entries(signs).flatMap((each) => each.join(' ').split(' '))
  return known.includes(token.replace(/\.$/, ''))
}

function isSignOf(currency: string, token: string): boolean {
  const known = Object.entries(signs).find(([code]) => code === currency)?.[1] ?? ''
  const sign = token.replace(currency, '').replace(/\.$/, '')
  return sign === '' || known.split(' ').includes(sign)
}

function readNumber(typed: string, currency: string): TypedAmount {
  const hasDecimals = !currenciesWithoutDecimals.includes(currency)
  const separators: string[] = typed.match(/[.,' ]/g) ?? []
  const last = separators.at(-1) ?? ''
  const isDecimal = /[.,]/.test(last) && separators.indexOf(last) === separators.length - 1
  const [whole, fraction] = isDecimal ? splitAt(typed, typed.lastIndexOf(last)) : [typed, '']
  const digits = toDigits(whole)
  if (isGrouped(typed) && !(isDecimal && hasDecimals)) return { amount: Number(toDigits(typed)) }
  if (isGrouped(typed)) return { problem: bothReadings(digits, fraction) }
  if (!isGrouped(whole) && !/^\d*$/.test(whole)) return { problem: exampleIn(currency) }
  const isPrecise = hasDecimals ? fraction.length <= 2 : /^0{0,2}$/.test(fraction)
  if (!isPrecise) return { problem: hasDecimals ? 'Two decimals at most.' : withoutDecimals(currency) }
  return { amount: Number(`${digits || '0'}.${fraction || '0'}`) }
}

const isGrouped = (text: string) =>
  lakhs.test(text) || (thousands.test(text) && new Set(text.match(/\D/g)).size === 1)

const toDigits = (text: string) => text.replaceAll(/\D/g, '')

const splitAt = (text: string, at: number) => [text.slice(0, at), text.slice(at + 1)] as const

const exampleIn = (currency: string) =>
  `Please enter an amount in ${currency.toUpperCase()}, for example ${toDecimal(1200, currency)}.`

function bothReadings(digits: string, fraction: string): string {
  const small = `${digits}.${fraction.replace(/0$/, '')}`
  return `Do you mean ${digits}${fraction}.00 or ${small}? Please type one of the two.`
}
