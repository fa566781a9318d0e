import type { ComponentProps } from 'react'
import { FieldFrame, type Frame } from './field.tsx'
import { ChevronDown } from './further-icons.tsx'

type SelectProps = ComponentProps<'select'> & { options: readonly { value: string; label: string }[] }

export function SelectField({ label, hint, problem, options, ...rest }: Frame & SelectProps) {
  return (
    <FieldFrame label={label} hint={hint} problem={problem}>
      {(wired) => <Select options={options} {...wired} {...rest} />}
    </FieldFrame>
  )
}

export function Select({ options, className = '', ...rest }: SelectProps) {
  return (
    <span className="relative block">
      <select className={`${className} appearance-none truncate pr-10!`} {...rest}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown aria-hidden className="pointer-events-none absolute right-3 bottom-3 size-5 text-soft" />
    </span>
  )
}
