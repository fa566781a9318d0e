// An amount of money. Not of the type `number`, in which browsers drop a comma without a word: 7,50 would become 750.
import type { ComponentProps } from 'react'
import { Field } from './field.tsx'

type PriceFieldProps = Omit<ComponentProps<typeof Field>, 'type' | 'inputMode'>

export function PriceField({ onChange, ...rest }: PriceFieldProps) {
  return (
    <Field
      inputMode="decimal"
      autoComplete="off"
      {...rest}
      onChange={(event) => {
        const { currentTarget } = event
        if (currentTarget.value.includes(',')) currentTarget.value = currentTarget.value.replaceAll(',', '.')
        onChange?.(event)
      }}
    />
  )
}
