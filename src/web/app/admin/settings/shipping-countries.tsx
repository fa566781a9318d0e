import { countryName } from '#contract/orders/postal.ts'
import { X } from '../../../components/icons.tsx'
import { useState } from 'react'
import { countriesByName, stripeCountries } from '#contract/orders/countries.ts'
import { Button } from '../../../components/button.tsx'
import { FieldFrame } from '../../../components/field.tsx'
import { Select } from '../../../components/further-fields.tsx'
import { fixedHint, type FormGroup } from './settings-form.tsx'

type CountryChipsProps = {
  label: string
  codes: readonly string[]
  what?: string
  note?: ((code: string) => string) | undefined
  onRemove: ((code: string) => void) | undefined
}

export function CountryChips({ label, codes, what = '', note, onRemove }: CountryChipsProps) {
  return (
    <ul aria-label={label} className="flex flex-wrap gap-2">
      {codes.map((code) => (
        <li
          key={code}
          className="inline-flex min-h-9 items-center rounded-sm border border-line px-3 text-sm has-[button]:pr-1"
        >
          {countryName(code)}
          {note?.(code)}
          {onRemove && (
            <button
              type="button"
              aria-label={`Remove ${what}${countryName(code)}`}
              className="ml-1.5 grid size-7 cursor-pointer place-items-center rounded-sm text-soft hover:bg-ink/7 hover:text-ink"
              onClick={({ currentTarget }) => {
                focusBeside(currentTarget)
                onRemove(code)
              }}
            >
              <X aria-hidden className="size-4" />
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}

/** Of the next country, or of the one before: the button that was pressed goes away with its focus. */
function focusBeside(pressed: HTMLElement): void {
  const country = pressed.closest('li')
  const beside = country?.nextElementSibling ?? country?.previousElementSibling
  beside?.querySelector('button')?.focus()
}

export const europeanUnion =
  'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE'.split(' ')
export const union = 'EU'

/** Of a choice among countries and the Union; of the Union, those that have no price yet. */
export function codesOf(chosen: string, priced: readonly string[]): string[] {
  return chosen === union ? europeanUnion.filter((code) => !priced.includes(code)) : [chosen]
}

const small = 'min-h-9 px-3 py-1 text-sm'
const everyCountry = countriesByName()
const servedByStripe = everyCountry.filter((code) => stripeCountries.has(code))

type ShippingCountriesProps = {
  group: FormGroup<unknown>
  chosen: readonly string[]
  onChoose: (codes: string[]) => void
}

export function ShippingCountries({ group, chosen, onChoose }: ShippingCountriesProps) {
  const [next, setNext] = useState('')
  const variable = group.variables['countries']
  const others = everyCountry.filter((code) => !chosen.includes(code))
  function choose(codes: readonly string[]) {
    onChoose([...new Set(codes)])
    setNext('')
    group.markChanged()
  }
  const remove = (code: string) => choose(chosen.filter((each) => each !== code))
  return (
    <div className="grid gap-3">
      <input type="hidden" name="countries" value={chosen.join(',')} disabled={variable !== undefined} />
      <FieldFrame
        label="Countries"
        hint={variable ? fixedHint(variable) : 'Addresses in other countries are not accepted.'}
        problem={problemOf(group)}
      >
        {(wired) =>
          variable === undefined && (
            <div className="flex flex-wrap items-end gap-2">
              <div className="min-w-0 grow">
                <Select
                  {...wired}
                  value={next}
                  onChange={({ target }) => setNext(target.value)}
                  options={[
                    { value: '', label: others.length > 0 ? 'Choose a country to add' : 'All are chosen' },
                    ...others.map((code) => ({ value: code, label: countryName(code) })),
                  ]}
                />
              </div>
              <Button look="outline" disabled={!next} onClick={() => choose([...chosen, next])}>
                Add
              </Button>
            </div>
          )
        }
      </FieldFrame>
      <Chosen chosen={chosen} onRemove={variable === undefined ? remove : undefined} />
      {variable === undefined && (
        <p className="flex flex-wrap gap-2">
          <Button look="outline" className={small} onClick={() => choose([...chosen, ...europeanUnion])}>
            Add the European Union
          </Button>
          <Button look="outline" className={small} onClick={() => choose([...chosen, ...servedByStripe])}>
            Add all that Stripe serves
          </Button>
          <Button look="outline" className={small} disabled={chosen.length === 0} onClick={() => choose([])}>
            Remove all
          </Button>
        </p>
      )}
    </div>
  )
}

const maxShown = 40

type ChosenProps = { chosen: readonly string[]; onRemove: ((code: string) => void) | undefined }

function Chosen({ chosen, onRemove }: ChosenProps) {
  if (chosen.length === 0)
    return <p className="text-sm text-soft">None is chosen: books on paper could not be sent.</p>
  const list = <CountryChips label="Chosen countries" codes={chosen} onRemove={onRemove} />
  if (chosen.length <= maxShown) return list
  return (
    <details>
      <summary className="mb-3 cursor-pointer rounded-sm text-sm font-semibold">
        {chosen.length} countries are chosen
      </summary>
      {list}
    </details>
  )
}

function problemOf({ problems }: FormGroup<unknown>): string | undefined {
  return Object.entries(problems ?? {}).find(([field]) => field.split('.')[0] === 'countries')?.[1]
}
