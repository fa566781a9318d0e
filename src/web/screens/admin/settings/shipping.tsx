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
      about="Where books on paper are sent. Shipping is free for the buyer, as the home page says: what it costs you is part of the price of the book."
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
      <ul
        aria-label="Chosen countries"
        className="flex max-h-72 flex-wrap gap-2 overflow-y-auto"
        tabIndex={0}
      >
        {chosen.map((code) => (
          <li
            key={code}
            className="inline-flex items-center rounded-sm border border-line py-1 pr-1 pl-3 text-sm"
          >
            <span className="py-1 pr-2">{countryName(code)}</span>
            {variable === undefined && (
              <button
                type="button"
                aria-label={`Remove ${countryName(code)}`}
                className="grid size-7 cursor-pointer place-items-center rounded-sm text-soft hover:bg-ink/7 hover:text-ink"
                onClick={() => choose(chosen.filter((each) => each !== code))}
              >
                <X aria-hidden className="size-4" />
              </button>
            )}
          </li>
        ))}
        {chosen.length === 0 && <li className="text-sm text-soft">None: books on paper cannot be sent.</li>}
      </ul>
      {variable === undefined && (
        <p className="flex flex-wrap gap-2">
          <Button look="quiet" onClick={() => choose([...chosen, ...europeanUnion])}>
            Add the European Union
          </Button>
          <Button look="quiet" onClick={() => choose([...chosen, ...servedByStripe])}>
            Add all that Stripe serves
          </Button>
          <Button look="quiet" disabled={chosen.length === 0} onClick={() => choose([])}>
            Remove all
          </Button>
        </p>
      )}
    </div>
  )
}

function problemOf({ problems }: FormGroup<unknown>): string | undefined {
  return Object.entries(problems ?? {}).find(([field]) => field.split('.')[0] === 'countries')?.[1]
}
