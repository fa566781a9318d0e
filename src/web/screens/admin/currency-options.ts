import { currencyCodes, currencyName } from '#contract/currencies.ts'

export function currencyOptions(): { value: string; label: string }[] {
  return currencyCodes
    .map((value) => ({ value, label: `${currencyName(value)} (${value.toUpperCase()})` }))
    .toSorted((one, other) => one.label.localeCompare(other.label, 'en-US'))
}
