import type { ComponentProps } from 'react'
import { FieldFrame, type Frame } from './field.tsx'
import { ChevronDown } from './further-icons.tsx'

/** A value alone is its own label. */
export type Option = string | { value: string; label: string }
type SelectProps = ComponentProps<'select'> & { options: readonly Option[] }

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
      <select className={`${className} appearance-none truncate pe-10!`} {...rest}>
        {options.map(withLabel).map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <ChevronDown aria-hidden className="pointer-events-none absolute end-3 bottom-3 size-5 text-soft" />
    </span>
  )
}

function withLabel(option: Option): Exclude<Option, string> {
  return typeof option === 'string' ? { value: option, label: option.replaceAll('_', ' ') } : option
}
