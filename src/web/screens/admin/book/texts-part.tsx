import { lazy, Suspense, useState } from 'react'
import { placeholdersOf, textProblem } from '#words/catalogue.ts'
import { fixedReason } from '#words/fixed-texts.ts'
import { Button } from '../../../components/button.tsx'
import { SelectField } from '../../../components/select-field.tsx'
import { Line, Lines, Tick, type PartProps } from './draft-fields.tsx'
import { findTexts, placeNames, placeOf } from './find-texts.ts'

const pageLength = 20
/** Characters of a standard text, above which it is typed in several lines. */
const lineLength = 60

const places = Object.entries(placeNames).map(([value, label]) => ({ value, label }))

/** The translations are loaded for this part alone. */
const WithStandards = lazy(async () => {
  const { standardTextsOf } = await import('#words/languages/languages.ts')
  return {
    default: (given: PartProps) => <Texts {...given} standards={standardTextsOf(given.document.language)} />,
  }
})

export function TextsPart(given: PartProps) {
  return (
    <Suspense fallback={<p className="text-sm text-soft">Loading the texts…</p>}>
      <WithStandards {...given} />
    </Suspense>
  )
}

type TextsProps = PartProps & { standards: ReadonlyMap<string, string> }

function Texts({ document: { texts }, change, problems, standards }: TextsProps) {
  const [query, setQuery] = useState('')
  const [place, setPlace] = useState('')
  const [isChangedOnly, setIsChangedOnly] = useState(false)
  const [shown, setShown] = useState(pageLength)
  const keys = findTexts({ standards, query, place, changed: texts, isChangedOnly })
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
        What the pages and emails say around your book. Type words that you see there to find them. An empty
        field keeps the standard text.
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
        {countText(keys.length, isChangedOnly && changedCount === 0)}
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
  if (count === 0) return 'No text has these words. Texts about your book itself are in the parts above.'
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
