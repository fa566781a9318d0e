import { useState } from 'react'
import { countryName } from '#features/shipping/contract/postal.ts'
import { Button } from '../../../components/button.tsx'
import { SelectField } from '../../../components/field.tsx'
import { PriceField } from '../../../components/price-field.tsx'
import type { FormGroup } from './settings-form.tsx'
import { codesOf, europeanUnion, union } from './shipping-countries.tsx'

type NewShippingPriceProps = {
  served: readonly string[]
  priced: readonly string[]
  problems: FormGroup<unknown>['problems']
  onAdd: (codes: string[], price: string) => void
}

export function NewShippingPrice({ served, priced, problems, onAdd }: NewShippingPriceProps) {
  const [country, setCountry] = useState('')
  const [price, setPrice] = useState('')
  const others = served.filter((code) => !priced.includes(code))
  const isUnionServed = europeanUnion.some((code) => others.includes(code))
  const isComplete = country !== '' && price.trim() !== ''
  function add() {
    if (!isComplete) return
    onAdd(codesOf(country, priced), price)
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
