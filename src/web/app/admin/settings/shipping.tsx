// The settings screen of shipping: countries and prices.
import { useState } from 'react'
import { countryName } from '#contract/orders/postal.ts'
import { type ShippingPrices, shippingRange } from '#contract/orders/prices.ts'
import { readText } from '../../../forms/form.ts'
import { currencySign, toDecimal } from '../../../format/format.tsx'
import { readPrice, PriceField } from '../price-field.tsx'
import { readTypedAmount } from '../typed-amount.ts'
import { Button } from '../../../components/button.tsx'
import { SelectField } from '../../../components/further-fields.tsx'
import { CountryChips, codesOf, europeanUnion, union, ShippingCountries } from './shared-with-setup.tsx'
import { GuaranteeNotice, loadNotice } from './guarantee-notice.tsx'
import { Input, type FieldProps } from '../../schema-fields.tsx'
import { defineSettings, fixedHint, type FormGroup } from './settings-form.tsx'
import { useCurrency } from '../../../shop.ts'
import { settingValues } from '#contract/settings/settings.ts'
import { api, responseOf } from '../../../api.ts'
import { changedShipping } from '../../../page/page-state.ts'
import type { Route } from './+types/shipping.ts'

/** Includes what was typed and not added yet. The schema refuses a price that is no number at its field. */
function readShippingPrices(form: FormData): Pick<ShippingPrices, 'price' | 'country_prices'> {
  const prices = textsIn(form, 'zone_price').map(readPrice)
  const zones = textsIn(form, 'zone_countries').map((codes) => codes.split(','))
  const exceptions = zones.flatMap((codes, at) =>
    codes.map((code) => [code, prices[at] ?? Number.NaN] as const),
  )
  const [country, price] = [readText(form, 'new_country'), readText(form, 'new_price')]
  const priced = exceptions.map(([code]) => code)
  const added = country || price ? codesOf(country, priced) : []
  const all = [...exceptions, ...added.map((code) => [code, readPrice(price)] as const)]
  return {
    price: readPrice(readText(form, 'price') || '0'),
    // The order is that of the database: prices that were not changed are then the same.
    country_prices: Object.fromEntries(all.toSorted(([one], [other]) => (one < other ? -1 : 1))),
  }
}

function textsIn(form: FormData, name: string): string[] {
  return form.getAll(name).filter((value) => typeof value === 'string')
}

type Zone = { id: string; price: string; codes: string[] }

function zonesOf(country_prices: ShippingPrices['country_prices'], currency: string): Zone[] {
  const byPrice = Map.groupBy(Object.entries(country_prices), ([, price]) => price)
  return Array.from(byPrice, ([price, entries]) => ({
    id: crypto.randomUUID(),
    price: toDecimal(price, currency),
    codes: entries.map(([code]) => code),
  }))
}

type ShippingPriceFieldsProps = {
  group: FormGroup<ShippingPrices>
  served: readonly string[]
}

function ShippingPriceFields({ group, served }: ShippingPriceFieldsProps) {
  const { values, problems, variables, markChanged } = group
  const currency = useCurrency()
  const variable = variables['price']
  const isFixed = variable !== undefined
  const [zones, setZones] = useState(() => zonesOf(values.country_prices, currency))
  function change(next: Zone[]) {
    setZones(next.filter(({ codes }) => codes.length > 0))
    markChanged()
  }
  const without = (zone: Zone, code: string) => ({
    ...zone,
    codes: zone.codes.filter((each) => each !== code),
  })
  return (
    <fieldset className="grid gap-4">
      <legend className="mb-4 font-semibold">Prices</legend>
      <div className="sm:max-w-60">
        <PriceField
          currency={currency}
          label={`Shipping per order (${currencySign(currency)})`}
          name="price"
          required={false}
          readOnly={isFixed}
          defaultValue={values.price === 0 ? '' : toDecimal(values.price, currency)}
          hint={
            isFixed ? fixedHint(variable) : 'In all countries without a price of their own. Empty is free.'
          }
          problem={problems?.['price']}
        />
      </div>
      {zones.map((zone) => (
        <ZoneFields
          key={zone.id}
          zone={zone}
          served={served}
          problem={zone.codes.map((code) => problems?.[`country_prices.${code}`]).find(Boolean)}
          onRemove={
            isFixed
              ? undefined
              : (code) => change(zones.map((each) => (each === zone ? without(each, code) : each)))
          }
        />
      ))}
      {!isFixed && (
        <NewShippingPrice
          served={served}
          priced={zones.flatMap(({ codes }) => codes)}
          problems={problems}
          onAdd={(codes, price) => change([...zones, { id: crypto.randomUUID(), price, codes }])}
        />
      )}
    </fieldset>
  )
}

type ZoneFieldsProps = {
  zone: Zone
  served: readonly string[]
  problem: string | undefined
  onRemove: ((code: string) => void) | undefined
}

/** A list of countries stays one while they are removed, so that the focus finds the next. */
function ZoneFields({ zone: { price, codes }, served, problem, onRemove }: ZoneFieldsProps) {
  const [onlyCountry] = useState(codes.length === 1 ? codes[0] : undefined)
  const currency = useCurrency()
  const field = { currency, name: 'zone_price', defaultValue: price, readOnly: !onRemove, problem }
  const frame = 'grid items-start gap-x-5 gap-y-3 rounded-md border border-line p-4'
  const sent = <input type="hidden" name="zone_countries" value={codes.join(',')} />
  if (onlyCountry)
    return (
      <div className={`${frame} grid-cols-[minmax(0,15rem)_auto]`}>
        {sent}
        <PriceField
          {...field}
          label={countryName(onlyCountry)}
          hint={served.includes(onlyCountry) ? undefined : 'You do not ship there.'}
        />
        {onRemove && (
          <Button
            look="quiet"
            className="mt-7.5 justify-self-start"
            aria-label={`Remove the price of ${countryName(onlyCountry)}`}
            onClick={({ currentTarget }) => {
              // The button goes away with its focus.
              currentTarget.closest('fieldset')?.querySelector('select')?.focus()
              onRemove(onlyCountry)
            }}
          >
            Remove
          </Button>
        )}
      </div>
    )
  return (
    <div className={`${frame} sm:grid-cols-[8rem_minmax(0,1fr)]`}>
      {sent}
      <PriceField {...field} label={codes.length === 1 ? 'One country' : `${codes.length} countries`} />
      <div className="sm:pt-7.5">
        <CountryChips
          label="Countries of this price"
          codes={codes.toSorted((one, other) => countryName(one).localeCompare(countryName(other), 'en'))}
          what="the price of "
          note={(code) => (served.includes(code) ? '' : ': you do not ship there')}
          onRemove={onRemove}
        />
      </div>
    </div>
  )
}

type NewShippingPriceProps = {
  served: readonly string[]
  priced: readonly string[]
  problems: FormGroup<unknown>['problems']
  onAdd: (codes: string[], price: string) => void
}

function NewShippingPrice({ served, priced, problems, onAdd }: NewShippingPriceProps) {
  const [country, setCountry] = useState('')
  const [price, setPrice] = useState('')
  const others = served.filter((code) => !priced.includes(code))
  const isUnionServed = europeanUnion.some((code) => others.includes(code))
  const currency = useCurrency()
  const amount = readTypedAmount(price, currency)?.amount
  const isComplete = country !== '' && amount !== undefined
  function add() {
    if (!isComplete) return
    onAdd(codesOf(country, priced), toDecimal(amount, currency))
    setCountry('')
    setPrice('')
  }
  return (
    <div className="grid items-start gap-x-3 gap-y-4 sm:grid-cols-[minmax(0,1fr)_8rem_auto]">
      <SelectField
        label="Another price for"
        name="new_country"
        value={country}
        onChange={({ target }) => setCountry(target.value)}
        options={[
          { value: '', label: others.length > 0 ? 'Choose a country' : 'Every country has its price' },
          ...(isUnionServed ? [{ value: union, label: 'The European Union' }] : []),
          ...others.map((code) => ({ value: code, label: countryName(code) })),
        ]}
        problem={problems?.['country_prices.'] && 'Please choose a country.'}
      />
      <PriceField
        currency={currency}
        label="Price"
        name="new_price"
        required={false}
        value={price}
        onChange={({ currentTarget }) => setPrice(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !isComplete) return
          event.preventDefault()
          add()
        }}
        problem={codesOf(country, priced)
          .map((code) => (code ? problems?.[`country_prices.${code}`] : undefined))
          .find(Boolean)}
      />
      <Button look="outline" className="sm:mt-7.5" disabled={!isComplete} onClick={add}>
        Set price
      </Button>
    </div>
  )
}

const settings = defineSettings({
  group: 'shipping',
  title: 'Shipping',
  about:
    'Where books on paper are sent, and what that costs the buyer. Where shipping is free, what it costs you is part of the price of the book.',
  schema: settingValues.shape.shipping.omit({ notices: true }),
  read: (form) => ({
    countries: readText(form, 'countries').split(',').filter(Boolean),
    ...readShippingPrices(form),
  }),
  fields: {
    countries: { label: 'Countries', as: Places },
    price: false,
    country_prices: false,
    delivery_days_min: { label: 'From (days)', as: DeliveryTime },
    delivery_days_max: false,
    asks_address: {
      label: 'Ask for the address before the sale',
      hint: 'This matters only while no payments are taken: buyers then give their address before the sale, otherwise afterwards on their dashboard. The checkout of Stripe always asks for it.',
    },
  },
})

export const { shouldRevalidate } = settings

export async function clientLoader() {
  const [group, notice] = await Promise.all([settings.clientLoader(), loadNotice()])
  return { group, notice }
}

export async function clientAction(args: Route.ClientActionArgs) {
  const result = await settings.clientAction(args)
  if (result.isSaved) await showOnCards()
  return result
}

/** The cards show it now; where this fails, they do so after the next load of the page. */
async function showOnCards(): Promise<void> {
  const terms = await responseOf(api.shipping.$get()).catch(() => undefined)
  if (terms) changedShipping.set(shippingRange(terms))
}

export default function Shipping({ loaderData: { group, notice }, actionData }: Route.ComponentProps) {
  return (
    <div className="grid gap-6">
      <settings.Screen loaderData={group} actionData={actionData} />
      {notice && <GuaranteeNotice state={notice} />}
    </div>
  )
}

function DeliveryTime(from: FieldProps<FormGroup<unknown>>) {
  return (
    <fieldset className="grid gap-4">
      <legend className="font-semibold">Delivery time</legend>
      <p className="mt-1.5 max-w-prose text-sm text-pretty text-soft">
        In working days, from the order until the book is there, in any of your countries. It stands on the
        cards, as “Delivered in 3–5 working days”; with a pre-order it counts from its day.
      </p>
      <div className="grid gap-4 sm:max-w-sm sm:grid-cols-2">
        <Input {...from} />
        <Input form={from.form} path="delivery_days_max" label="To (days)" />
      </div>
    </fieldset>
  )
}

type ShippingForm = FormGroup<ShippingPrices & { countries: string[] }>

function Places({ form }: FieldProps<ShippingForm>) {
  const [chosen, setChosen] = useState(form.values.countries)
  return (
    <div className="grid gap-6">
      <ShippingCountries group={form} chosen={chosen} onChoose={setChosen} />
      <ShippingPriceFields group={form} served={chosen} />
    </div>
  )
}
