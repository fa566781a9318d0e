// The forms of postal codes, by country. A country that is not among them has any.
// They are those of the Universal Postal Union, and are read without regard to case, spaces and hyphens.

type Form = { pattern: RegExp; example: string }

/** Some write the letters of the country in front, as in “D-10115”. */
const digits = (count: number, example: string): Form => ({
  pattern: new RegExp(`^[A-Z]{0,2}\\d{${count}}$`),
  example,
})

const forms: Readonly<Record<string, Form>> = {
  AT: digits(4, '1010'),
  AU: digits(4, '2000'),
  BE: digits(4, '1000'),
  BR: digits(8, '01310-100'),
  CA: { pattern: /^[A-Z]\d[A-Z]\d[A-Z]\d$/, example: 'K1A 0B1' },
  CH: digits(4, '8001'),
  DE: digits(5, '10115'),
  DK: digits(4, '1050'),
  ES: digits(5, '28013'),
  FI: digits(5, '00100'),
  FR: digits(5, '75001'),
  // The last form is that of the forces abroad.
  GB: { pattern: /^([A-Z]{1,2}\d[A-Z\d]?\d[A-Z]{2}|GIR0AA|BFPO(C\/?O)?\d{1,4})$/, example: 'SW1A 1AA' },
  IT: digits(5, '00184'),
  JP: digits(7, '100-0001'),
  // The letters are left out at times.
  NL: { pattern: /^(NL)?\d{4}([A-Z]{2})?$/, example: '1012 AB' },
  NO: digits(4, '0150'),
  PL: digits(5, '00-001'),
  // The last three digits are left out at times.
  PT: { pattern: /^[A-Z]{0,2}\d{4}(\d{3})?$/, example: '1100-148' },
  SE: digits(5, '111 20'),
}

/** Returns how one looks there where this cannot be one; undefined where it may be. */
export function exampleFor(country: string, typed: string): string | undefined {
  const form = Object.hasOwn(forms, country) ? forms[country] : undefined
  // Digits are full-width in Japan.
  const code = typed
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[\s.\p{Dash}ー〒]/gu, '')
  return !form || form.pattern.test(code) ? undefined : form.example
}
