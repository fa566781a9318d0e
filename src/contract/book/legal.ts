// The legal pages: their words, the blanks that the author fills in, and when a page may be shown.
import { z } from 'zod'
import { toStoredAddress } from '../field-rules.ts'
import { typed, email, optionalLine, optionalText } from '../fields.ts'

export const legalPageNames = ['terms', 'privacy', 'imprint'] as const
export const legalPageName = z.enum(legalPageNames)
export type LegalPageName = z.infer<typeof legalPageName>

/** The admin area calls them so, whatever titles the author gives them. */
export const legalPageTitles: Record<LegalPageName, string> = {
  terms: 'Terms',
  privacy: 'Privacy',
  imprint: 'Imprint',
}

/** A page's words name these as `{seller}`: the page is not shown while one that it names is empty. */
export const neededBlanks = ['seller', 'address', 'email', 'law', 'host'] as const

/** A line that names one of these is left out while it is empty. */
export const optionalBlanks = [
  'represented_by',
  'phone',
  'register',
  'tax_number',
  'responsible',
  'authority',
] as const

/** Filled in by the shop in English, whatever the language of the book. */
export const englishBlanks = ['stored_data', 'money_back', 'withdrawal', 'digital_seller'] as const

/** Filled in by the shop; lines with nothing to say are left out. */
export const shopBlanks = ['book', 'author', ...englishBlanks] as const

export type NeededBlank = (typeof neededBlanks)[number]
export type LegalBlank = NeededBlank | (typeof optionalBlanks)[number]

/** Stripe stores it with the order, in at most 500 characters. */
const maxConsent = 500

const optionalAddress = () => optionalLine(254).transform(toStoredAddress)

type Rules = {
  line: typeof optionalLine | typeof typed
  text: typeof optionalText | typeof typed
  address: typeof optionalAddress | typeof typed
}

function createLegal({ line, text, address }: Rules) {
  const page = z.object({
    is_shown: z.boolean(),
    title: line(60),
    /** Markdown with blanks. */
    text: text(40_000).meta({ format: 'markdown' }),
  })
  return z.object({
    blanks: z.object({
      seller: line(200),
      address: text(400),
      email: address(),
      law: line(120),
      host: line(300),
      represented_by: line(200),
      phone: line(60),
      register: line(200),
      tax_number: line(120),
      responsible: line(300),
      authority: line(300),
    }),
    /** The maker of the books on paper: name, postal address and email. Empty: the seller has made them. */
    maker: text(400),
    /** The person who answers for them in the European Union, where the maker is elsewhere. */
    eu_person: text(400),
    pages: z.object({ terms: page, privacy: page, imprint: page }),
    /** The buyer consents before digital content is bought: to its instant delivery, with which the right of withdrawal ends. */
    consent: z.object({ is_asked: z.boolean(), text: line(maxConsent) }),
  })
}

export const legalDraft = createLegal({ line: typed, text: typed, address: typed })

export type Legal = z.output<typeof legalDraft>

/** A page that is switched on is complete, and so is the consent. */
export const legalDocument = createLegal({
  line: optionalLine,
  text: optionalText,
  address: optionalAddress,
}).superRefine((legal, refinement) => {
  const refuse = (path: string[], message: string) => refinement.addIssue({ code: 'custom', path, message })
  for (const name of legalPageNames) {
    const { is_shown, title, text } = legal.pages[name]
    if (!is_shown) continue
    for (const [field, value] of [
      ['title', title],
      ['text', text],
    ] as const)
      if (!value) refuse(['pages', name, field], 'Please fill in this field, or switch the page off.')
    for (const blank of openBlanks(text, legal))
      refuse(['blanks', blank], `Please fill this in: the page “${legalPageTitles[name]}” shows it.`)
    const unknown = blanksIn(text).find((blank) => !isBlank(blank))
    if (unknown) refuse(['pages', name, 'text'], `{${unknown}} is none of the blanks that are filled in.`)
  }
  if (legal.blanks.email && !email.safeParse(legal.blanks.email).success)
    refuse(['blanks', 'email'], 'Please enter a valid email address.')
  if (legal.consent.is_asked && !legal.consent.text)
    refuse(['consent', 'text'], 'Please say what buyers agree to.')
})

const blankPattern = /\{([a-z_]+)\}/g

export function blanksIn(text: string): string[] {
  return Array.from(text.matchAll(blankPattern), ([, name = '']) => name)
}

function isBlank(name: string): boolean {
  const all: readonly string[] = [...neededBlanks, ...optionalBlanks, ...shopBlanks]
  return all.includes(name)
}

/** The further blanks that `withdrawal` names. */
const blanksOfWithdrawal: NeededBlank[] = ['seller', 'email']

export function openBlanks(text: string, { blanks, consent }: Omit<Legal, 'pages'>): NeededBlank[] {
  const named = blanksIn(text)
  const isWithdrawalShown = named.includes('withdrawal') && asksConsent(consent)
  const all: string[] = isWithdrawalShown ? [...named, ...blanksOfWithdrawal] : named
  return neededBlanks.filter((name) => all.includes(name) && !blanks[name])
}

export function asksConsent({ is_asked, text }: Legal['consent']): boolean {
  return is_asked && text !== ''
}

export function isReady(name: LegalPageName, { pages, ...filled }: Legal): boolean {
  const { is_shown, title, text } = pages[name]
  return is_shown && Boolean(title && text) && openBlanks(text, filled).length === 0
}

/**
 * `values` are Markdown. Of a blank without one, the line that names it is left out; those of the shop are filled in first,
 * because they may name others.
 */
export function fillBlanks(text: string, values: Readonly<Record<string, string>>): string {
  return text
    .split('\n')
    .filter((line) => blanksIn(line).every((name) => values[name] !== ''))
    .join('\n')
    .replaceAll(blankPattern, (blank, name: string) => values[name] ?? blank)
}
