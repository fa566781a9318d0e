// The question of the setup who sells, and where. It writes the blanks of the legal pages, and proposes what follows from
// the country.
import { useId, type ReactNode } from 'react'
import { z } from 'zod'
import { isTemplateInEnglish } from '#content/legal-pages.ts'
import type { BookDocument } from '#contract/book/book.ts'
import {
  legalDocument,
  legalPageNames,
  legalPageTitles,
  openBlanks,
  type Legal,
  type LegalPageName,
} from '#contract/book/legal.ts'
import type { FieldProblems } from '#contract/field-rules.ts'
import { countries, countriesByName } from '#contract/orders/countries.ts'
import { countryName } from '#contract/orders/postal.ts'
import type { BookSetup } from '#contract/setup/setup.ts'
import { currency, type Currency } from '#contract/stripe.ts'
import { Field, TextField } from '../../../components/field.tsx'
import { SelectField } from '../../../components/further-fields.tsx'
import { checkFields } from '../../../forms/form.ts'
import { fieldTextsOf, labelOf } from '../book/field-texts.ts'
import { countryLine, countryNames, withCountry, withoutCountry } from './country-line.ts'
import { europeanUnion, ownTimeZone, timeIn, useNow } from '../settings/shared-with-setup.tsx'

type Blank = 'seller' | 'address' | 'email' | 'host'

export type TypedSeller = Record<Blank, string> & {
  /** It is a code; empty until one is chosen, and where the law is none of a country. */
  country: string
  time_zone: string
  asksConsent: boolean
  shownPages: readonly LegalPageName[]
}

type Drafted = Pick<BookDocument, 'legal' | 'author' | 'language'>

export function typedSeller({ legal, author, language }: Drafted, { time_zone }: BookSetup): TypedSeller {
  const { seller, address, email, host, law } = legal.blanks
  const isOfLaw = (country: string) => countryNames({ country, language }).includes(law)
  return {
    seller: seller || (law ? '' : author.name),
    address,
    email: email || (law ? '' : (author.email ?? '')),
    host,
    country: (law && [...countries].find(isOfLaw)) || '',
    time_zone: time_zone.name,
    asksConsent: legal.consent.is_asked,
    shownPages: legalPageNames.filter((name) => legal.pages[name].is_shown),
  }
}

/** Returns the legal part of the book with what is typed. */
export function legalOf({ legal, language }: Omit<Drafted, 'author'>, typed: TypedSeller): Legal {
  const { seller, email, host, country, asksConsent, shownPages } = typed
  const address = withCountry(typed.address, { country, language })
  const [law = ''] = country ? countryNames({ country, language }) : [legal.blanks.law]
  const show = (name: LegalPageName) => ({ ...legal.pages[name], is_shown: shownPages.includes(name) })
  return {
    ...legal,
    blanks: { ...legal.blanks, seller, address, email: email.trim(), host, law },
    pages: { terms: show('terms'), privacy: show('privacy'), imprint: show('imprint') },
    consent: { ...legal.consent, is_asked: asksConsent },
  }
}

const blankPaths = new Set(
  ['seller', 'address', 'email', 'host', 'law'].map((name) => `legal.blanks.${name}`),
)

/** Returns what would hinder the opening and can be answered here. The paths are those of the book's document. */
export function sellerProblems(document: Drafted, typed: TypedSeller): FieldProblems | undefined {
  const all = checkFields(z.object({ legal: legalDocument }), { legal: legalOf(document, typed) }) ?? {}
  const shown = Object.entries(all).filter(([path]) => blankPaths.has(path))
  return shown.length > 0 ? Object.fromEntries(shown) : undefined
}

/** People there pay in a currency of Stripe's list; the countries of the euro have a list of their own. */
const currencies: Record<string, Currency> = {
  AE: 'aed',
  AU: 'aud',
  BR: 'brl',
  CA: 'cad',
  CH: 'chf',
  LI: 'chf',
  CZ: 'czk',
  DK: 'dkk',
  FO: 'dkk',
  GL: 'dkk',
  GB: 'gbp',
  GG: 'gbp',
  IM: 'gbp',
  JE: 'gbp',
  HK: 'hkd',
  IN: 'inr',
  JP: 'jpy',
  KR: 'krw',
  MX: 'mxn',
  MY: 'myr',
  NO: 'nok',
  NZ: 'nzd',
  PL: 'pln',
  RO: 'ron',
  SE: 'sek',
  SG: 'sgd',
  TH: 'thb',
  US: 'usd',
}

const euroCountries =
  'AD AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MC ME MT NL PT SI SK SM VA XK'.split(' ')

/** Returns undefined where the shop has no prices in the country's currency. */
export function currencyOf(country: string): Currency | undefined {
  return euroCountries.includes(country) ? currency.enum.eur : currencies[country]
}

const zoneNames = z.array(z.string())

/** Returns the country's only time zone; where it has several, or the browser lists none, that of the browser. */
export function timeZoneOf(country: string): string | undefined {
  const zones = zoneNames.safeParse(listTimeZones(new Intl.Locale(`und-${country}`))).data ?? []
  return zones.length === 1 ? zones[0] : ownTimeZone()
}

/** Returns undefined in a browser that has no list. */
function listTimeZones(locale: Intl.Locale): unknown {
  return 'getTimeZones' in locale && typeof locale.getTimeZones === 'function'
    ? locale.getTimeZones()
    : undefined
}

const countryLabel = 'Country'

type SellerQuestionProps = {
  document: BookDocument
  setup: BookSetup
  typed: TypedSeller
  problems: FieldProblems | undefined
  onChange: (typed: TypedSeller) => void
}

export function SellerQuestion({ document, setup, typed, problems, onChange }: SellerQuestionProps) {
  const texts = fieldTextsOf(document)
  const now = useNow()
  const { time_zone } = setup
  const { language } = document
  const added = countryLine(typed.address, { country: typed.country, language })
  const frame = (blank: Blank) => {
    const path = `legal.blanks.${blank}`
    return {
      label: labelOf(texts, path),
      problem: problems?.[path],
      value: typed[blank],
      required: false,
      onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
        onChange({ ...typed, [blank]: currentTarget.value }),
    }
  }
  function choose(country: string) {
    const zone = time_zone.is_chosen || !country ? undefined : timeZoneOf(country)
    const isAsProposed = typed.asksConsent === europeanUnion.includes(typed.country)
    onChange({
      ...typed,
      country,
      // The line of the country that was chosen before, which was written with the address.
      address: withoutCountry(typed.address, { country: typed.country, language }),
      time_zone: zone ?? typed.time_zone,
      asksConsent: isAsProposed ? europeanUnion.includes(country) : typed.asksConsent,
    })
  }
  return (
    <section aria-labelledby="seller" className="mb-8 grid gap-5 border-b border-line pb-8">
      <div>
        <h3 id="seller" className="font-display text-xl font-semibold">
          Who sells, and where?
        </h3>
        <p className="mt-1 max-w-prose text-sm text-pretty text-soft">
          Buyers make their contract with you. Your terms, privacy policy and imprint are filled in with this,
          and shown once you tick them. Books on paper that you post to the European Union name you as their
          maker. You can answer later, too, under “Legal pages” of the Book page.
        </p>
      </div>
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <Field type="text" autoComplete="organization" {...frame('seller')} />
        <SelectField
          label={countryLabel}
          hint="Proposes the currency, the time zone and where you post books to."
          problem={problems?.['legal.blanks.law']}
          options={[
            { value: '', label: document.legal.blanks.law || 'Choose a country' },
            ...countriesByName().map((code) => ({ value: code, label: countryName(code) })),
          ]}
          value={typed.country}
          onChange={({ target }) => choose(target.value)}
        />
        <TextField
          rows={5}
          {...frame('address')}
          hint={added && `“${added}” is added as the last line, for buyers in other countries.`}
        />
        <div className="grid gap-5">
          <Field type="email" autoComplete="email" {...frame('email')} />
          {!time_zone.variable && (
            <SelectField
              label="Time zone"
              hint={`A day of sales begins at midnight there. It is now ${timeIn(typed.time_zone, now)}.`}
              options={[...new Set(['UTC', typed.time_zone, ...Intl.supportedValuesOf('timeZone')])].map(
                (zone) => ({ value: zone, label: zone }),
              )}
              value={typed.time_zone}
              onChange={({ target }) => onChange({ ...typed, time_zone: target.value })}
            />
          )}
        </div>
      </div>
      <LegalChoice document={document} typed={typed} onChange={onChange}>
        <Field
          type="text"
          {...frame('host')}
          hint="The company and its country. Your privacy policy names it."
        />
      </LegalChoice>
    </section>
  )
}

type LegalChoiceProps = Pick<SellerQuestionProps, 'document' | 'typed' | 'onChange'> & {
  children: ReactNode
}

function LegalChoice({ document, typed, onChange, children }: LegalChoiceProps) {
  const { asksConsent, shownPages } = typed
  const texts = fieldTextsOf(document)
  const legal = legalOf(document, typed)
  function toggle(name: LegalPageName, isShown: boolean) {
    const others = shownPages.filter((each) => each !== name)
    onChange({ ...typed, shownPages: isShown ? [...others, name] : others })
  }
  return (
    <fieldset className="grid gap-4">
      <legend className="mb-3 font-semibold">What visitors are shown</legend>
      <Choice
        label={labelOf(texts, 'legal.consent.is_asked')}
        isTicked={asksConsent}
        onChange={(isTicked) => onChange({ ...typed, asksConsent: isTicked })}
      >
        Digital products that are released are then sold only to those who agree that delivery begins at once
        and ends the right of withdrawal. A pre-order asks for no consent and keeps that right.
      </Choice>
      {legalPageNames.map((name) => {
        const open = openBlanks(legal.pages[name].text, legal)
        return (
          <Choice
            key={name}
            label={labelOf(texts, `legal.pages.${name}.is_shown`)}
            isTicked={shownPages.includes(name)}
            onChange={(isTicked) => toggle(name, isTicked)}
          >
            {open.length > 0
              ? `Needs: ${open.map((blank) => (blank === 'law' ? countryLabel : labelOf(texts, `legal.blanks.${blank}`))).join(', ')}.`
              : `Filled in: a link to ${legalPageTitles[name]} stands at the foot of your page once it is ticked.`}
          </Choice>
        )
      })}
      {(shownPages.includes('privacy') || typed.host !== '') && children}
      <p className="max-w-prose text-sm text-pretty text-soft">
        The pages are templates to begin with and no legal advice: please have them checked by somebody who
        knows the law of your country. You read and change them under “Legal pages” of the Book page.
        {legalPageNames.some((name) => isTemplateInEnglish(document, name)) &&
          ' They are in English, and your book is not: put them into its language there.'}
      </p>
    </fieldset>
  )
}

type ChoiceProps = {
  label: string
  isTicked: boolean
  onChange: (isTicked: boolean) => void
  children: ReactNode
}

function Choice({ label, isTicked, onChange, children }: ChoiceProps) {
  const hint = useId()
  return (
    <div>
      <label className="flex cursor-pointer items-start gap-3">
        <input
          type="checkbox"
          className="tick mt-0.5 shrink-0"
          aria-describedby={hint}
          checked={isTicked}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
        {label}
      </label>
      <p id={hint} className="mt-0.5 pl-8 text-sm text-pretty text-soft">
        {children}
      </p>
    </div>
  )
}
