/** Languages that are written from right to left (Unicode CLDR), also by a script's name as in az-Arab. */
const rightToLeft =
  /^(ar|arc|arz|ckb|dv|fa|he|ks|mzn|ps|sd|syr|ug|ur|yi)(-(?!Latn|Cyrl)|$)|-(Arab|Hebr|Syrc|Thaa)(-|$)/i

export function directionOf(language: string): 'ltr' | 'rtl' {
  return rightToLeft.test(language) ? 'rtl' : 'ltr'
}
