import { countryName, needsPostalCode, needsState } from '#features/shipping/contract/postal.ts'
import type { PostalAddress } from '#platform/contract/postal-address.ts'
import { usStateCode, usStates } from '#features/shipping/contract/us-states.ts'
import type { AddressProblems } from './address-form.ts'
import { Field, SelectField } from './components/field.tsx'

type AddressFieldsProps = {
  /** ISO 3166-1 alpha-2. With one only, nothing is to be chosen. */
  countries: readonly string[]
  country: string
  onCountry: (country: string) => void
  address?: PostalAddress | null | undefined
  problems?: AddressProblems | undefined
}

export function AddressFields({ countries, country, onCountry, address, problems }: AddressFieldsProps) {
  const choices = countries.includes(country) ? countries : [country, ...countries]
  const isUs = country === 'US'
  const field = (name: keyof PostalAddress, label: string, autoComplete: string, isRequired = true) => (
    <Field
      label={isRequired ? label : `${label} (optional)`}
      name={name}
      autoComplete={`shipping ${autoComplete}`}
      defaultValue={address?.[name]}
      required={isRequired}
      problem={problems?.[name]}
      {...(name === 'postal_code' && isUs && { inputMode: 'numeric' })}
      {...(name === 'phone' && { type: 'tel' })}
    />
  )
  return (
    <div className="grid gap-4">
      {field('name', 'Full name', 'name')}
      {field('line1', 'Street and number', 'address-line1')}
      {field('line2', 'Flat, floor, building', 'address-line2', false)}
      {field('city', 'City', 'address-level2')}
      {/* Both inputs stand in one row, however many lines the labels and problems take. */}
      <div className="grid grid-cols-2 gap-x-4 *:row-span-3 *:grid *:grid-rows-subgrid [&_label]:self-end">
        {isUs ? (
          <SelectField
            label="State"
            name="state"
            autoComplete="shipping address-level1"
            required
            defaultValue={usStateCode(address?.state ?? '') ?? ''}
            options={stateOptions}
            problem={problems?.state}
          />
        ) : (
          field('state', 'Region', 'address-level1', needsState(country))
        )}
        {field('postal_code', isUs ? 'ZIP code' : 'Postal code', 'postal-code', needsPostalCode(country))}
      </div>
      {choices.length > 1 ? (
        <SelectField
          label="Country"
          name="country"
          autoComplete="shipping country"
          value={country}
          onChange={({ target }) => onCountry(target.value)}
          options={choices.map((code) => ({ value: code, label: countryName(code) }))}
          problem={problems?.country}
        />
      ) : (
        <p className="text-sm text-soft">
          <input type="hidden" name="country" value={country} />
          We ship within: {countryName(country)}
        </p>
      )}
      {field('phone', 'Telephone, for the carrier', 'tel', false)}
    </div>
  )
}

const stateOptions = [
  { value: '', label: 'Choose…' },
  ...usStates.map(({ code, name }) => ({ value: code, label: name })),
]
