// Finds texts by what one sees on a page or in an email.
import { fixedReason, loadStandardTexts, placeholdersOf, textProblem } from '#words/catalogue.ts'
import type { Texts as FoundTexts } from '#words/texts.ts'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { SelectField } from '../../../components/further-fields.tsx'
import { Line, Lines, Tick } from './draft-fields.tsx'
import type { PartProps } from './draft-inputs.tsx'
import type { BookDocument } from '#contract/book/book.ts'

/** The names of the groups, by the first part of a text's key. */
export const placeNames: Record<string, string> = {
  site: 'On every page',
  home: 'Landing page',
  cards: 'Products',
  buying: 'Buying',
  guest: 'Buying with an address',
  gift: 'Gifts',
  letters: 'Letters by email',
  excerpt: 'Excerpt by email',
  tellMe: 'Waiting for a release',
  withdraw: 'Withdrawing from a contract',
  preview: 'Preview',
  auth: 'Signing in and up',
  dashboard: 'Purchases of a reader',
  formats: 'Formats',
  statuses: 'States of purchases',
  shipping: 'Shipping',
  refunds: 'Refunds',
  account: 'A reader’s account',
  findPurchase: 'Finding a purchase',
  purchaseMoved: 'Objecting to a moved purchase',
  mailChoices: 'Choosing emails by a link',
  factors: 'A reader’s second factors and passkeys',
  ownData: 'A reader’s own data',
  ownDataValues: 'States and events in a reader’s own data',
  receipt: 'Receipt',
  slip: 'Packing slip',
  address: 'Addresses of parcels',
  legal: 'Terms, privacy and imprint',
  notFound: 'Page not found',
  controls: 'Buttons and fields',
  fields: 'What is wrong in a field',
  outages: 'While the shop is busy',
  refusals: 'What cannot be done',
  responses: 'What is said after a press',
  setup: 'Before the shop is open',
  emails: 'Emails',
  accountEmails: 'Emails about accounts',
}

export const placeOf = (key: string) => key.slice(0, key.indexOf('.'))

type Narrowing = {
  standards: ReadonlyMap<string, string>
  query: string
  place: string
  changed: FoundTexts
  isChangedOnly: boolean
}

/** Keys; of texts in which placeholders may stand for the query only where none has it as it is typed. */
export function findTexts({ standards, query, place, changed, isChangedOnly }: Narrowing): string[] {
  const simple = simplify(query)
  const keys = Array.from(standards.keys()).filter(
    (key) => (!place || placeOf(key) === place) && (!isChangedOnly || key in changed),
  )
  if (!simple) return keys
  const seen = (key: string) => [standards.get(key) ?? '', changed[key] ?? '']
  const matches = keys.filter((key) => seen(key).some((text) => isSeenAs(text, simple)))
  const whole = matches.filter((key) => seen(key).some((text) => simplify(text).includes(simple)))
  return whole.length > 0 ? whole : matches
}

/** A placeholder may stand for any words, of which some may not be typed yet. */
function isSeenAs(text: string, address: string): boolean {
  const simple = simplify(text)
  const words = address.split(' ')
  const missing = words.filter((word) => !simple.includes(word)).length
  const isPart = missing <= placeholdersOf(text).length && missing < words.length
  return isPart || isFilled(simple, address)
}

/** Letters before or after its placeholders: "{title} by {author}" may be any words of the book. */
const hasOwnEnd = /^[^{]*\p{L}{2}|\p{L}{2}[^}]*$/u

/** Returns whether a page says this by a text of the catalogue, rather than by the book. */
export async function isShownText(words: string, { language, texts }: BookDocument): Promise<boolean> {
  const standards = await loadStandardTexts(language)
  const simple = simplify(words)
  return Array.from(standards).some(([key, standard]) => {
    const text = simplify(texts[key] || standard)
    return text === simple || (hasOwnEnd.test(text) && isFilled(text, simple))
  })
}

function isFilled(simple: string, wantedText: string): boolean {
  const literals = simple.split(/\{\w+\}/)
  const [first = '', last = ''] = [literals[0], literals.at(-1)]
  if (literals.length === 1 || !/\p{L}{2}/u.test(literals.join(' '))) return false
  let at = 0
  const isInOrder = literals.every((literal) => {
    const index = wantedText.indexOf(literal, at)
    at = index + literal.length
    return index >= 0
  })
  return isInOrder && wantedText.startsWith(first) && wantedText.endsWith(last)
}

/** Leaves out accents, case and kinds of quotation marks, which the comparison ignores. */
function simplify(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[“”]/g, '"')
    .toLowerCase()
    .trim()
    .replaceAll(/\s+/g, ' ')
}

const pageLength = 20
/** Characters of a standard text, above which it is typed in several lines. */
const lineLength = 60

const places = Object.entries(placeNames).map(([value, label]) => ({ value, label }))

type TextsProps = PartProps & { standards: ReadonlyMap<string, string> }

export function ShownTexts({ document: { texts }, change, problems, standards, pressed }: TextsProps) {
  const [query, setQuery] = useState(pressed?.words ?? '')
  const [place, setPlace] = useState('')
  const [isChangedOnly, setIsChangedOnly] = useState(false)
  const [shown, setShown] = useState(pageLength)
  const isNarrowed = query.trim() !== '' || place !== '' || isChangedOnly
  const keys = isNarrowed ? findTexts({ standards, query, place, changed: texts, isChangedOnly }) : []
  const listed = keys.slice(0, shown)
  const changedCount = Object.values(texts).filter((text) => text.trim() !== '').length
  const refused = Object.keys(texts).filter((key) => problems[`texts.${key}`] && !listed.includes(key))
  const narrow = (set: () => void) => {
    set()
    setShown(pageLength)
  }

  return (
    <>
      <p className="text-sm text-soft">
        What the pages and emails say around your book. Press a button or a link in the preview, or type words
        that you see. An empty field keeps the standard text.
      </p>
      <Line
        label="Find a text"
        type="search"
        value={query}
        onChange={(typed) => narrow(() => setQuery(typed))}
      />
      <div className="grid items-end gap-4 sm:grid-cols-2">
        <SelectField
          label="Where it stands"
          options={[{ value: '', label: 'Everywhere' }, ...places]}
          value={place}
          onChange={({ target }) => narrow(() => setPlace(target.value))}
        />
        <Tick
          label={`Changed texts only (${changedCount})`}
          isTicked={isChangedOnly}
          onChange={(isTicked) => narrow(() => setIsChangedOnly(isTicked))}
        />
      </div>
      <p role="status" className="text-sm text-soft">
        {isNarrowed && countText(keys.length, isChangedOnly && changedCount === 0)}
      </p>
      <ul className="grid gap-6">
        {[...refused, ...listed].map((key) => (
          <li key={key} className="border-t border-line pt-5">
            <TextField
              name={key}
              standard={standards.get(key) ?? ''}
              text={texts[key] ?? ''}
              onChange={(text) => change((draft) => void (draft.texts[key] = text))}
              onReset={() => change((draft) => void delete draft.texts[key])}
            />
          </li>
        ))}
      </ul>
      {keys.length > shown && (
        <Button look="outline" onClick={() => setShown(shown + pageLength)}>
          Show more
        </Button>
      )}
    </>
  )
}

function countText(count: number, isNothingChanged: boolean): string {
  if (isNothingChanged) return 'You have not changed any text yet.'
  if (count === 0) return 'No text has these words. Texts about your book itself are in the other parts.'
  return count === 1 ? 'One text' : `${count} texts`
}

type TextFieldProps = {
  name: string
  standard: string
  text: string
  onChange: (text: string) => void
  onReset: () => void
}

function TextField({ name, standard, text, onChange, onReset }: TextFieldProps) {
  const reason = fixedReason(name)
  const place = placeNames[placeOf(name)]
  if (reason) {
    return (
      <>
        <p className="text-sm text-soft">{place}</p>
        <p className="mt-1">{standard}</p>
        <p className="mt-1 text-sm text-soft">This text cannot be changed: {reason}</p>
      </>
    )
  }
  const filledIn = Array.from(new Set(placeholdersOf(standard)), (each) => `{${each}}`).join(', ')
  const Typed = standard.length > lineLength ? Lines : Line
  return (
    <>
      <p className="text-sm text-soft">{place}</p>
      <Typed
        label={standard}
        hint={filledIn ? `Keep ${filledIn}: filled in when the text is shown.` : undefined}
        problem={textProblem(name, text)}
        value={text}
        onChange={onChange}
      />
      {text !== '' && (
        <Button
          look="quiet"
          className="mt-2"
          onClick={({ currentTarget }) => {
            currentTarget.closest('li')?.querySelector<HTMLElement>('input, textarea')?.focus()
            onReset()
          }}
        >
          Back to the standard text
        </Button>
      )}
    </>
  )
}
