// The direction in which a language is written, of pages and of emails.

/** Languages that are written from right to left (Unicode CLDR), also by a script's name as in az-Arab. */
const rightToLeft =
  /^(ar|arc|arz|ckb|dv|fa|he|ks|mzn|ps|sd|syr|ug|ur|yi)(-(?!Latn|Cyrl)|$)|-(Arab|Hebr|Syrc|Thaa)(-|$)/i

export type Direction = 'ltr' | 'rtl'

export function directionOf(language: string): Direction {
  return rightToLeft.test(language) ? 'rtl' : 'ltr'
}
