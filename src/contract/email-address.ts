// Email addresses in the one form that is stored, compared and mailed: lower-case, the domain in punycode, as browsers send it.
import { comparable } from './normal-form.ts'

/** The mailbox in the letters and signs of RFC 5322, without quotation marks. */
const mailbox = /^[a-z\d!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z\d!#$%&'*+/=?^_`{|}~-]+)*$/
const domainName = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+(?:[a-z]{2,63}|xn--[a-z\d-]{0,58}[a-z\d])$/

/** What is no address is returned in the same form, for `isAddress` to refuse. */
export function toStoredAddress(value: string): string {
  const typed = comparable(value).replaceAll('。', '.').trim().toLowerCase()
  const at = typed.lastIndexOf('@') + 1
  const domain = typed.slice(at)
  return typed.slice(0, at) + (toAscii(domain) ?? domain)
}

/** What a URL would read as a path, a port, a login or an escape, or would leave out. */
const noHost = /[\s\p{Cc}%/\\?#@:<>^|[\]]/u

function toAscii(domain: string): string | undefined {
  if (noHost.test(domain) || !URL.canParse(`http://${domain}`)) return undefined
  return new URL(`http://${domain}`).hostname.replace(/\.$/, '')
}

export function isAddress(value: string): boolean {
  const [before = '', domain = '', ...more] = value.split('@')
  return more.length === 0 && mailbox.test(before) && domainName.test(domain) && toAscii(domain) === domain
}

/** Only a mail server with SMTPUTF8 (RFC 6531) takes such a mailbox, and few have it. */
export function hasForeignLetters(value: string): boolean {
  return /[^\0-\x7f][^@]*@/.test(value)
}
