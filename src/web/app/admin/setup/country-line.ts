// The country as the last line of the seller's postal address: buyers in other countries read it, too.
import { isLanguage } from '#contract/book/book.ts'

/** `country` is a code, empty until one is chosen; `language` is that of the book. */
type Line = { country: string; language: string }

/** Returns the line that is added, or undefined where the address names the country, or one of the two is not there yet. */
export function countryLine(address: string, { country, language }: Line): string | undefined {
  const lines = linesOf(address)
  const last = lines.at(-1)
  if (!country || !last) return undefined
  const names = countryNames({ country, language })
  const isNamed = lines.some((line) => isOneOf(names, line)) || names.some((name) => endsWith(last, name))
  return isNamed ? undefined : names[0]
}

export function withCountry(address: string, line: Line): string {
  const added = countryLine(address, line)
  return added ? `${address.trimEnd()}\n${added}` : address
}

/** Takes out a last line that is nothing but the country. */
export function withoutCountry(address: string, { country, language }: Line): string {
  const lines = linesOf(address)
  const last = lines.pop()
  return country && last && isOneOf(countryNames({ country, language }), last) ? lines.join('\n') : address
}

const linesOf = (address: string) =>
  address
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

/** The first is in the language of the book; the others are English, and of the country itself. */
export function countryNames({ country, language }: Line): string[] {
  const own = new Intl.Locale(`und-${country}`).maximize().language
  // A draft may have a language that is none.
  const languages = [isLanguage(language) ? language : 'en', 'en', own]
  const names = (['long', 'short'] as const).flatMap((style) =>
    languages.map((each) => new Intl.DisplayNames(each, { type: 'region', style }).of(country) ?? country),
  )
  return country === 'US' ? [...names, 'USA'] : names
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
const isOneOf = (names: readonly string[], line: string) => names.some((name) => isSame(name, line))

/** As a word: “1010 Wien, Österreich”. */
function endsWith(line: string, name: string): boolean {
  const before = line.slice(0, -name.length)
  return isSame(line.slice(-name.length), name) && /[^\p{L}\p{N}]$/u.test(before)
}
