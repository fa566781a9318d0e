// Where books on paper are sent.
import { useState } from 'react'
import { settingValues } from '#features/settings/contract/setting-groups.ts'
import { countriesByName, stripeCountries } from '#features/shipping/contract/countries.ts'
import { countryName } from '#features/shipping/contract/postal.ts'
import { readText } from '../../../form.ts'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { FieldFrame } from '../../../components/field.tsx'
import { X } from '../../../components/icons.tsx'
import { Failed } from '../../../components/note.tsx'
import { Select } from '../../../components/select.tsx'
import type { Route } from './+types/shipping.ts'
import { isToBeLoaded, loadGroup, saveGroup } from './save-group.ts'
import { fixedHint, readSwitch, SettingSwitch } from './setting-fields.tsx'
import { SettingsForm, type FormGroup } from './settings-form.tsx'

const schema = settingValues.shape.shipping

export function clientLoader() {
  return loadGroup('shipping')
}

export function clientAction({ request }: Route.ClientActionArgs) {
  const read = (form: FormData) => ({
    countries: readText(form, 'countries').split(',').filter(Boolean),
    asks_address: readSwitch(form, 'asks_address'),
  })
  return saveGroup({ group: 'shipping', schema, read }, request)
}

export const shouldRevalidate = isToBeLoaded

export default function ShippingSettings({ loaderData: found, actionData }: Route.ComponentProps) {
  if (!found)
    return (
      <Card title="Shipping">
        <Failed title="The settings could not be loaded" />
      </Card>
    )
  return (
    <SettingsForm
      title="Shipping"
      about="Where books on paper are sent. Shipping is free for the buyer: what it costs you is part of the price of the book."
      found={found}
      schema={schema}
      result={actionData}
    >
      {(group) => (
        <>
          <Countries group={group} />
          <SettingSwitch
            group={group}
            name="asks_address"
            label="Ask for the address before the sale"
            hint="This matters only while no payments are taken: buyers then give their address before the sale, otherwise afterwards on their dashboard. The checkout of Stripe always asks for it."
            isOn={group.values.asks_address}
          />
        </>
      )}
    </SettingsForm>
  )
}

const europeanUnion =
  'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE'.split(' ')
const small = 'min-h-9 px-3 py-1 text-sm'
const everyCountry = countriesByName()
const servedByStripe = everyCountry.filter((code) => stripeCountries.has(code))

function Countries({ group }: { group: FormGroup<{ countries: string[] }> }) {
  const [chosen, setChosen] = useState(group.values.countries)
  const [next, setNext] = useState('')
  const variable = group.variables['countries']
  const others = everyCountry.filter((code) => !chosen.includes(code))
  function choose(codes: readonly string[]) {
    setChosen([...new Set(codes)])
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

/** More are folded away. */
const mostShown = 40

type ChosenProps = { chosen: readonly string[]; onRemove: ((code: string) => void) | undefined }

function Chosen({ chosen, onRemove }: ChosenProps) {
  if (chosen.length === 0)
    return <p className="text-sm text-soft">None is chosen: books on paper could not be sent.</p>
  const list = (
    <ul aria-label="Chosen countries" className="flex flex-wrap gap-2">
      {chosen.map((code) => (
        <li
          key={code}
          className="inline-flex min-h-9 items-center rounded-sm border border-line px-3 text-sm has-[button]:pr-1"
        >
          {countryName(code)}
          {onRemove && (
            <button
              type="button"
              aria-label={`Remove ${countryName(code)}`}
              className="ml-1.5 grid size-7 cursor-pointer place-items-center rounded-sm text-soft hover:bg-ink/7 hover:text-ink"
              onClick={() => onRemove(code)}
            >
              <X aria-hidden className="size-4" />
            </button>
          )}
        </li>
      ))}
    </ul>
  )
  if (chosen.length <= mostShown) return list
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
