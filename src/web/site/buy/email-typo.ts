// A likely typo in the domain of an address: one letter of a large mail service too many, too few, wrong, or exchanged.

/** Long enough that a domain one letter away is a typo; of short names, as gmx.net, such domains exist. */
const services =
  'gmail.com googlemail.com hotmail.com outlook.com icloud.com yahoo.com protonmail.com t-online.de interia.pl yahoo.co.jp docomo.ne.jp'.split(
    ' ',
  )

/** One letter away from a service, and services themselves. */
const existing = new Set(['mail.com', 'ymail.com', 'email.com'])

/** The address that was probably meant; undefined where there is no doubt. */
export function findEmailTypo(email: string): string | undefined {
  const [, local, domain = ''] = /^(.+)@([^@]+)$/.exec(email.trim()) ?? []
  const typed = domain.toLowerCase()
  if (!local || services.includes(typed) || existing.has(typed)) return undefined
  const meant = services.find((service) => isOneTypo(typed, service))
  return meant && `${local}@${meant}`
}

function isOneTypo(typed: string, meant: string): boolean {
  let same = 0
  while (same < typed.length && typed[same] === meant[same]) same += 1
  const [rest, expected] = [typed.slice(same), meant.slice(same)]
  const isWrong = rest.slice(1) === expected.slice(1)
  const isTooMany = rest.slice(1) === expected
  const isTooFew = rest === expected.slice(1)
  const isExchanged =
    rest[0] === expected[1] && rest[1] === expected[0] && rest.slice(2) === expected.slice(2)
  return isWrong || isTooMany || isTooFew || isExchanged
}
