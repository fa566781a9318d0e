// The first part of the book's form: title, description, and the language with its region, stored as one language tag.
import { followLanguage } from '#content/standard-lines.ts'
import { countriesByName } from '#contract/orders/countries.ts'
import { countryName } from '#contract/orders/postal.ts'
import { hasTexts, localeOf, readyLanguages } from '#words/languages/languages.ts'
import { SelectField } from '../../../components/further-fields.tsx'
import { useLoaded } from '../../../page/use-page.ts'
import { useCurrency } from '../../../shop.ts'
import { DraftFields, type PartProps } from './draft-inputs.tsx'

export function TitlePart(props: PartProps) {
  return (
    <>
      <DraftFields paths={['title', 'product', 'subtitle', 'description', 'description_title']} {...props} />
      <LanguageFields {...props} />
    </>
  )
}

/** These are ISO 639-1 without what it has withdrawn, and Chinese by its two scripts. The shop's own stand before them. */
const furtherLanguages = `
aa ab af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cv cy da dv dz ee el eo es et eu fa ff fi
fil fj fo fr fy ga gd gl gn gu gv ha he hi hr ht hu hy ia id ig ii is it iu jv ka kg ki kk kl km kn ko kr ks ku kv kw ky
la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn nr nv ny oc oj om or os pa ps pt qu rm rn
ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tn to tr ts tt ty ug uk ur uz ve vi wa
wo xh yi yo zh-Hans zh-Hant zu
`

/** Of which country the shop's texts are, where it has one translation for several. */
const varieties = new Map([['pt', 'as in Brazil']])

const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

/** Returns "German (Deutsch)" for a language that the shop has texts in, and the tag itself where it has no name. */
function nameOf(tag: string): string {
  const name = nameIn(names, tag)
  if (!hasTexts(tag)) return name ?? tag
  const own = nameIn(new Intl.DisplayNames(tag, { type: 'language' }), tag)
  const both = own && own !== name ? `${name} (${own})` : (name ?? tag)
  return [both, varieties.get(tag)].filter(Boolean).join(', ')
}

function nameIn(displayNames: Intl.DisplayNames, tag: string): string | undefined {
  try {
    return displayNames.of(tag)
  } catch {
    return undefined
  }
}

function byName(tags: readonly string[]) {
  const { compare } = new Intl.Collator('en')
  return tags.map((tag) => ({ value: tag, label: nameOf(tag) })).toSorted((a, b) => compare(a.label, b.label))
}

const ready = byName(readyLanguages)
/** Browsers have no names for some of them. */
const further = byName(
  furtherLanguages
    .trim()
    .split(/\s+/)
    .filter((tag) => nameIn(names, tag) !== undefined),
)

type Tag = { language: string; region: string }

/** A tag that cannot be read, which a draft may have, is a language without a region. */
export function splitTag(tag: string): Tag {
  try {
    const { region = '' } = new Intl.Locale(tag)
    return { language: region ? tag.replace(new RegExp(`-${region}(?=-|$)`, 'i'), '') : tag, region }
  } catch {
    return { language: tag, region: '' }
  }
}

export function joinTag({ language, region }: Tag): string {
  try {
    return region ? new Intl.Locale(language, { region }).toString() : language
  } catch {
    return language
  }
}

const loadNothing = async () => null
const loadCatalogue = () => import('#words/catalogue.ts').catch(() => null)

function LanguageFields({ document, change, problems, texts }: PartProps) {
  const tag = splitTag(document.language)
  const { loaded: words } = useLoaded(hasTexts(tag.language) ? loadNothing : loadCatalogue)
  const set = (next: Tag) => change((draft) => followLanguage(draft, joinTag(next)))
  const listed = [...ready, ...further.filter(({ value }) => !hasTexts(value))]
  const isListed = listed.some(({ value }) => value === tag.language)
  return (
    <div className="grid items-start gap-5 sm:grid-cols-2">
      <SelectField
        label={(texts['language'] || undefined)?.label ?? ''}
        hint={describeTexts(tag.language, words?.countChanged(document.texts))}
        problem={problems['language']}
        options={isListed ? listed : [{ value: tag.language, label: nameOf(tag.language) }, ...listed]}
        value={tag.language}
        onChange={({ target }) => set({ ...tag, language: target.value })}
      />
      <RegionField tag={tag} onChange={(region) => set({ ...tag, region })} />
    </div>
  )
}

type Counted = { all: number; changed: number } | null | undefined

/** `counted` is there for a language without texts of the shop's, once the catalogue is. */
function describeTexts(language: string, counted: Counted): string {
  const isThere = 'The shop has its buttons and emails in this language.'
  if (language === 'en') return isThere
  if (hasTexts(language))
    return `${isThere} No lawyer has read its texts of consent, refunds and withdrawal. The templates of legal pages are English: Publish lists those that you have not replaced.`
  const count = counted ? `: ${counted.changed} of ${counted.all}` : ''
  return `Buttons and emails stay English until you translate them under “Words of pages and emails”${count}.`
}

function RegionField({ tag, onChange }: { tag: Tag; onChange: (region: string) => void }) {
  const currency = useCurrency()
  const codes = countriesByName()
  const { region } = tag
  const own = region && !codes.includes(region) ? [region] : []
  return (
    <SelectField
      label="Region (dates, prices)"
      hint={`As in ${exampleOf(localeOf(joinTag(tag)), currency)}.`}
      options={[
        { value: '', label: 'As usual in the language' },
        ...[...own, ...codes].map((code) => ({ value: code, label: countryName(code) })),
      ]}
      value={region}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

/** Returns "March 12, 2027, and €1,234.50". */
function exampleOf(locale: string, currency: string): string {
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
  const price = new Intl.NumberFormat(locale, { style: 'currency', currency })
  return `${day.format(new Date('2027-03-12'))}, and ${price.format(1234.5)}`
}
