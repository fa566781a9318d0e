import { settingValues } from '#contract/operations/setting-groups.ts'
import type { SettingsGroup } from '#contract/operations/settings.ts'
import type { ChosenOffers } from '#contract/operations/book-setup.ts'
import { countries } from '#contract/orders/countries.ts'
import { formatsTexts } from '#words/formats.ts'
import type { Format } from '#contract/catalog/products.ts'
import type { FieldProblems } from '#contract/field-problems.ts'
import { currencySign, toDecimal } from '../../../format.ts'
import { PriceField } from '../price-field.tsx'
import { fixedHint } from '../settings/setting-fields.tsx'
import { ShippingCountries } from '../settings/shipping-countries.tsx'
import { StrongLink } from '../text-link.tsx'
import { typedPrice } from './typed-offers.ts'

export type TypedShipping = { countries: string[]; price: string }

const schema = settingValues.shape.shipping

/** Until it was chosen once, the country is that of the browser's language. */
export function typedShipping(
  { values, revision, variables }: SettingsGroup,
  currency: string,
): TypedShipping {
  const { countries: stored, price } = schema.parse(values)
  const own = new Intl.Locale(navigator.language).maximize().region
  const isChosen = revision > 0 || 'countries' in variables || !own || !countries.has(own)
  return { countries: isChosen ? stored : [own], price: price === 0 ? '' : toDecimal(price, currency) }
}

/** What the environment sets cannot be changed here. */
export function chosenShipping(
  { countries: chosen, price }: TypedShipping,
  { variables }: SettingsGroup,
  currency: string,
): NonNullable<ChosenOffers['shipping']> {
  return {
    ...(!('countries' in variables) && { countries: chosen }),
    ...(!('price' in variables) && { price: price.trim() ? typedPrice(price, currency) : 0 }),
  }
}

type ShippingFieldsProps = {
  found: SettingsGroup
  typed: TypedShipping
  papers: readonly Format[]
  currency: string
  problems: FieldProblems | undefined
  onChange: (typed: TypedShipping) => void
}

export function ShippingFields(props: ShippingFieldsProps) {
  const { found, typed, papers, currency, problems, onChange } = props
  const values = schema.parse(found.values)
  const exceptions = Object.keys(values.country_prices).length
  const variable = found.variables['price']
  return (
    <section aria-labelledby="parcels" className="mt-3 grid gap-5 rounded-md border border-line p-4">
      <div>
        <h3 id="parcels" className="font-semibold">
          Shipping the {listed(papers)}
        </h3>
        <p className="mt-0.5 text-sm text-pretty text-soft">
          You send each copy yourself once it is ordered: “Shipping” in the admin area lists the addresses and
          prints packing slips. Leave a format unticked if you cannot send it.
        </p>
      </div>
      <ShippingCountries
        group={{ ...found, values, saved: values, problems, markChanged: () => {} }}
        chosen={typed.countries}
        onChoose={(chosen) => onChange({ ...typed, countries: chosen })}
      />
      <div className="sm:max-w-72">
        <PriceField
          currency={currency}
          label={`What a buyer pays for shipping (${currencySign(currency)})`}
          required={false}
          readOnly={variable !== undefined}
          hint={variable ? fixedHint(variable) : 'Per order. Leave it empty if shipping is free.'}
          problem={problems?.['price']}
          value={typed.price}
          onChange={({ currentTarget }) => onChange({ ...typed, price: currentTarget.value })}
        />
      </div>
      <p className="text-sm text-soft">
        {exceptions > 0 && (
          <span>{`${exceptions} ${exceptions === 1 ? 'country has' : 'countries have'} another price. `}</span>
        )}
        <span>
          To charge more or less for some countries, use{' '}
          <StrongLink to="/admin/settings/shipping?from=setup">Settings, Shipping</StrongLink>.
        </span>
      </p>
    </section>
  )
}

function listed(papers: readonly Format[]): string {
  const names = papers.map((format) => formatsTexts.within[format])
  return new Intl.ListFormat('en-US').format(names)
}
