import { useState } from 'react'
import { settingValues } from '#contract/operations/setting-groups.ts'
import { shippingRange, type ShippingPrices } from '#contract/orders/shipping-price.ts'
import { api, responseOf } from '../../../api.ts'
import { readText } from '../../../form.ts'
import { changedShipping } from '../../../page-state.ts'
import { LoadFailed } from '../../../components/load-failed.tsx'
import type { Route } from './+types/shipping.ts'
import { isToBeLoaded, loadGroup, saveGroup } from './save-group.ts'
import { SettingSwitch } from './setting-fields.tsx'
import { SettingsForm, type FormGroup } from './settings-form.tsx'
import { ShippingCountries } from './shipping-countries.tsx'
import { readShippingPrices, ShippingPriceFields } from './shipping-prices.tsx'

const schema = settingValues.shape.shipping

export function clientLoader() {
  return loadGroup('shipping')
}

export async function clientAction({ request }: Route.ClientActionArgs) {
  const read = (form: FormData) => ({
    countries: readText(form, 'countries').split(',').filter(Boolean),
    ...readShippingPrices(form),
  })
  const result = await saveGroup({ group: 'shipping', schema, read }, request)
  if (result.isSaved) await showOnCards()
  return result
}

/** Where it fails, the cards say it after the next load of the page. */
async function showOnCards(): Promise<void> {
  const terms = await responseOf(api.shipping.$get()).catch(() => undefined)
  if (terms) changedShipping.set(shippingRange(terms))
}

export const shouldRevalidate = isToBeLoaded

export default function ShippingSettings({ loaderData: found, actionData }: Route.ComponentProps) {
  if (!found) return <LoadFailed card="Shipping" title="The settings could not be loaded" />
  return (
    <SettingsForm
      title="Shipping"
      about="Where books on paper are sent, and what that costs the buyer. Where shipping is free, what it costs you is part of the price of the book."
      found={found}
      schema={schema}
      result={actionData}
    >
      {(group) => (
        <>
          <Places group={group} />
          <SettingSwitch
            group={group}
            name="asks_address"
            label="Ask for the address before the sale"
            hint="This matters only while no payments are taken: buyers then give their address before the sale, otherwise afterwards on their dashboard. The checkout of Stripe always asks for it."
          />
        </>
      )}
    </SettingsForm>
  )
}

function Places({ group }: { group: FormGroup<ShippingPrices & { countries: string[] }> }) {
  const [chosen, setChosen] = useState(group.values.countries)
  return (
    <>
      <ShippingCountries group={group} chosen={chosen} onChoose={setChosen} />
      <ShippingPriceFields group={group} served={chosen} />
    </>
  )
}
