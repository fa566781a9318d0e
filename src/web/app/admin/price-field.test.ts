import { expect, test } from 'vitest'
import { currencyCodes, type Currency } from '#contract/stripe.ts'
import { formatMoney, toDecimal } from '#contract/money.ts'
import { readTypedAmount } from './typed-amount.ts'

const amountOf = (text: string, currency = 'usd') => readTypedAmount(text, currency)?.amount
const problemOf = (text: string, currency = 'usd') => readTypedAmount(text, currency)?.problem

test('an amount is read in the notation of any country', () => {
  const notations: [text: string, currency: string, amount: number][] = [
    ['1,200.00', 'usd', 1200],
    ['1.200,00', 'eur', 1200],
    ['$12.50', 'usd', 12.5],
    ['12,50', 'eur', 12.5],
    ['12,5', 'eur', 12.5],
    ['.50', 'usd', 0.5],
    ['$.50', 'usd', 0.5],
    ['12.', 'usd', 12],
    ['0', 'usd', 0],
    ['1 200,00 zł', 'pln', 1200],
    ['1\u00A0200,00\u00A0zł', 'pln', 1200],
    ['1\u202F200,00 €', 'eur', 1200],
    ['1\u2009200', 'eur', 1200],
    ["1'200.50", 'chf', 1200.5],
    ['CHF 1’200.50', 'chf', 1200.5],
    ['Fr. 12.–', 'chf', 12],
    ['12,-', 'nok', 12],
    ['1,234,567', 'usd', 1_234_567],
    ['1.234.567', 'eur', 1_234_567],
    ['1.234.567,89', 'eur', 1_234_567.89],
    ['₹12,34,567.50', 'inr', 1_234_567.5],
    ['Rs.50', 'inr', 50],
    ['USD 12.50', 'usd', 12.5],
    ['usd12.50', 'usd', 12.5],
    ['$12.50 USD', 'usd', 12.5],
    ['US$12.50', 'usd', 12.5],
    ['12.50 €', 'eur', 12.5],
    ['R$ 12,50', 'brl', 12.5],
    ['15,000', 'krw', 15_000],
    ['15.000', 'krw', 15_000],
    ['₩15,000', 'krw', 15_000],
    ['15,000원', 'krw', 15_000],
    ['15,000.00', 'krw', 15_000],
    ['1,500円', 'jpy', 1500],
    ['￥１，５００', 'jpy', 1500],
    ['１２．５０', 'usd', 12.5],
    ['12。50', 'usd', 12.5],
    ['١٢٫٥٠', 'aed', 12.5],
    ['١٬٢٠٠٫٥٠ د.إ.\u200F', 'aed', 1200.5],
    ['१२.५०', 'inr', 12.5],
    ['\u200E12.50', 'usd', 12.5],
  ]
  const read = notations.map(([text, currency]) => [text, currency, amountOf(text, currency)])
  expect(read).toEqual(notations)
})

test('what is formatted or stored in a currency is read as the same amount', () => {
  const homes: Record<Currency, string> = {
    aed: 'ar-AE',
    aud: 'en-AU',
    brl: 'pt-BR',
    cad: 'fr-CA',
    chf: 'de-CH',
    czk: 'cs-CZ',
    dkk: 'da-DK',
    eur: 'de-DE',
    gbp: 'en-GB',
    hkd: 'zh-HK',
    inr: 'hi-IN',
    jpy: 'ja-JP',
    krw: 'ko-KR',
    mxn: 'es-MX',
    myr: 'ms-MY',
    nok: 'nb-NO',
    nzd: 'en-NZ',
    pln: 'pl-PL',
    ron: 'ro-RO',
    sek: 'sv-SE',
    sgd: 'en-SG',
    thb: 'th-TH',
    usd: 'en-US',
  }
  for (const currency of currencyCodes)
    for (const amount of [1, 950, 12_345, 1_234_567]) {
      const styles = (['symbol', 'narrowSymbol', 'code'] as const).map((currencyDisplay) =>
        new Intl.NumberFormat(homes[currency], { style: 'currency', currency, currencyDisplay }).format(
          amount,
        ),
      )
      for (const text of [toDecimal(amount, currency), formatMoney(amount, currency), ...styles])
        expect([text, amountOf(text, currency)]).toEqual([text, amount])
    }
})

test('three digits after one sign are refused with both readings where a currency has decimals', () => {
  expect(problemOf('1,200')).toBe('Do you mean 1200.00 or 1.20? Please type one of the two.')
  expect(problemOf('1.200 €', 'eur')).toContain('1200.00 or 1.20?')
  expect(problemOf('$12,345')).toContain('12345.00 or 12.345?')
  expect(['1,200', '1.200', '١٫٢٠٠', '１，２００'].map((text) => amountOf(text))).toEqual(
    Array.from({ length: 4 }),
  )
  for (const text of ['0,500', '1234,567', '12.5050']) expect(problemOf(text)).toBe('Two decimals at most.')
})

test('what is no amount of the currency is refused, and says why', () => {
  expect(problemOf('12.50 €')).toBe('This amount is in USD, not in “€”.')
  for (const text of ['¥12', '12 zł', 'EUR 12', 'CA$12', 'about 12', '(12.50)', '1e3'])
    expect([text, amountOf(text)]).toEqual([text, undefined])
  for (const text of ['-12.50', '−12', '$-12', '12.50-'])
    expect(problemOf(text)).toBe('An amount cannot be less than 0.')
  for (const text of ['12,50', '0,5', '1234.567', '15,0000'])
    expect(problemOf(text, 'krw')).toBe('Amounts in KRW have no decimals.')
  for (const text of ['free', '$', '12 50', '1,200 000', '1.200.50', '1,2345,678', '12 or 13', '1, 200'])
    expect([text, problemOf(text)]).toEqual([text, expect.stringMatching(/Please enter|not in “/)])
  expect(problemOf('9,9o')).toMatch('Please enter an amount in USD')
  expect(readTypedAmount('  ', 'usd')).toBeUndefined()
  expect(problemOf('abc', 'jpy')).toBe('Please enter an amount in JPY, for example 1200.')
})
