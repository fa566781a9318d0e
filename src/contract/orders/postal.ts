// The form of an address on a parcel, and the pages where parcels are tracked. It has no zod: users' pages carry this.
import { byLocale } from '../intl.ts'
import { fill } from '#words/texts.ts'
import { shippingTexts } from '#words/buying.ts'

const withState = new Set(['US', 'CA', 'AU'])
const withPostalCode = new Set('US CA AU AT BE CH DE DK ES FI FR GB IT NL NO SE'.split(' '))

export function needsState(country: string): boolean {
  return withState.has(country)
}

export function needsPostalCode(country: string): boolean {
  return withPostalCode.has(country)
}

const regions = byLocale((locale) => new Intl.DisplayNames(locale, { type: 'region' }))

export function countryName(code: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return code
  return regions().of(code) ?? code
}

const collator = byLocale((locale) => new Intl.Collator(locale))

/** In the order of their names in the language of the page. */
export function sortByName(codes: Iterable<string>): string[] {
  const named = [...codes].map((code) => ({ code, name: countryName(code) }))
  const { compare } = collator()
  return named.toSorted((a, b) => compare(a.name, b.name)).map(({ code }) => code)
}

/** The first country that the shop sends to stays first: the author has put it there. */
export function firstThenByName(codes: readonly string[]): string[] {
  return [...codes.slice(0, 1), ...sortByName(codes.slice(1))]
}

export function shippingLabel(country: string | null): string {
  const { shipping, shippingTo } = shippingTexts
  return country === null ? shipping : fill(shippingTo, { country: countryName(country) })
}

/** Line by line as the post of that country wants it; the telephone is not among them. */
export function addressLines(address: PostalAddress): string[] {
  const { name, line1, line2, country } = address
  return [name, line1, line2, ...placeLines(address), countryName(country)].filter(Boolean)
}

function placeLines({ city, state, postal_code, country }: PostalAddress): string[] {
  if (needsState(country)) return [`${city}, ${[state, postal_code].filter(Boolean).join(' ')}`]
  if (country === 'GB' || country === 'IE') return [city, state, postal_code]
  return [[postal_code, city].filter(Boolean).join(' '), state]
}

const laPoste = (number: string) => `https://www.laposte.fr/outils/suivre-vos-envois?code=${number}`

/** Carriers whose page takes the number alone: PostNL asks for the postal code, and DPD has a page for each country. */
const trackingPages: Record<string, (number: string) => string> = {
  'Australia Post': (number) => `https://auspost.com.au/mypost/track/#/details/${number}`,
  'Canada Post': (number) =>
    `https://www.canadapost-postescanada.ca/track-reperage/en#/search?searchFor=${number}`,
  Colissimo: laPoste,
  Correos: (number) =>
    `https://www.correos.es/es/es/herramientas/localizador/envios/detalle?tracking-number=${number}`,
  DHL: (number) => `https://www.dhl.com/global-en/home/tracking.html?tracking-id=${number}`,
  FedEx: (number) => `https://www.fedex.com/fedextrack/?trknbr=${number}`,
  GLS: (number) => `https://gls-group.eu/EU/en/parcel-tracking?match=${number}`,
  InPost: (number) => `https://inpost.pl/sledzenie-przesylek?number=${number}`,
  'Japan Post': (number) =>
    `https://trackings.post.japanpost.jp/services/srv/search/direct?reqCodeNo1=${number}&locale=ja`,
  'La Poste': laPoste,
  'Österreichische Post': (number) => `https://www.post.at/s/sendungsdetails?snr=${number}`,
  'Poczta Polska': (number) => `https://emonitoring.poczta-polska.pl/?numer=${number}`,
  'Poste Italiane': (number) => `https://www.poste.it/cerca/index.html#/risultati-spedizioni/${number}`,
  'Royal Mail': (number) => `https://www.royalmail.com/track-your-item#/tracking-results/${number}`,
  'Swiss Post': (number) => `https://service.post.ch/ekp-web/ui/entry/search/${number}`,
  UPS: (number) => `https://www.ups.com/track?tracknum=${number}`,
  USPS: (number) => `https://tools.usps.com/go/TrackConfirmAction?tLabels=${number}`,
}

const carriers = Object.keys(trackingPages)

/** The carriers that people post books with in their country; the others take parcels in many. */
const nationalCarriers: Record<string, readonly string[]> = {
  AT: ['Österreichische Post'],
  AU: ['Australia Post'],
  CA: ['Canada Post'],
  CH: ['Swiss Post'],
  DE: ['DHL'],
  ES: ['Correos'],
  FR: ['Colissimo', 'La Poste'],
  GB: ['Royal Mail'],
  IT: ['Poste Italiane'],
  JP: ['Japan Post'],
  PL: ['InPost', 'Poczta Polska'],
  US: ['USPS'],
}

/** The country's own carriers first; of these and of the others, each in the order of the alphabet. */
export function carriersFor(country: string | undefined): string[] {
  const own = (country && nationalCarriers[country]) || []
  return [...own, ...carriers.filter((name) => !own.includes(name))]
}

export function trackingUrl(carrier: string | null, number: string | null): string | undefined {
  const name = carriers.find((each) => each.toLowerCase() === carrier?.trim().toLowerCase())
  const page = name && trackingPages[name]
  return page && number ? page(encodeURIComponent(number.replaceAll(/\s/g, ''))) : undefined
}

export type PostalAddress = {
  name: string
  line1: string
  line2: string
  city: string
  state: string
  postal_code: string
  /** ISO 3166-1 alpha-2. */
  country: string
  phone: string
}

/** USPS Publication 28, appendix B, with territories and armed forces. */
const stateLines = `AL Alabama|AK Alaska|AS American Samoa|AZ Arizona|AR Arkansas|AA Armed Forces Americas|AE Armed Forces Europe|AP Armed Forces Pacific|CA California|CO Colorado|CT Connecticut|DE Delaware|DC District of Columbia|FL Florida|GA Georgia|GU Guam|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|KY Kentucky|LA Louisiana|ME Maine|MD Maryland|MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi|MO Missouri|MT Montana|NE Nebraska|NV Nevada|NH New Hampshire|NJ New Jersey|NM New Mexico|NY New York|NC North Carolina|ND North Dakota|MP Northern Mariana Islands|OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania|PR Puerto Rico|RI Rhode Island|SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|UT Utah|VT Vermont|VI Virgin Islands|VA Virginia|WA Washington|WV West Virginia|WI Wisconsin|WY Wyoming`

export const usStates = stateLines.split('|').map((each) => ({ code: each.slice(0, 2), name: each.slice(3) }))

export function usStateCode(state: string): string | undefined {
  const typedState = state.trim().toLowerCase()
  return usStates.find(({ code, name }) => [code, name].some((each) => each.toLowerCase() === typedState))
    ?.code
}
