import { buyingTexts } from '#words/buying.ts'
import { countryName } from '#contract/orders/postal.ts'
import { SelectField } from '../../components/select-field.tsx'

type CountryFieldProps = {
  countries: readonly string[]
  country: string
  isMissing: boolean
  problem?: string | undefined
  onChange: (country: string) => void
}

export function CountryField({ countries, country, isMissing, problem, onChange }: CountryFieldProps) {
  return (
    <SelectField
      label={buyingTexts.country}
      name="country"
      autoComplete="shipping country"
      value={country}
      onChange={({ target }) => onChange(target.value)}
      options={[
        { value: '', label: buyingTexts.choose },
        ...countries.map((code) => ({ value: code, label: countryName(code) })),
      ]}
      problem={isMissing ? buyingTexts.chooseCountry : problem}
    />
  )
}
