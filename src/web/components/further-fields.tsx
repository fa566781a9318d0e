// The fields that the home page does not load.
import { type ComponentProps, useState } from 'react'
import { FieldFrame, type Frame } from './field.tsx'
import { ChevronDown, Eye, EyeOff } from './further-icons.tsx'
import { controlsTexts } from '#words/site.ts'

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

function inSentenceCase(value: string): string {
  return value.charAt(0).toUpperCase() + value.slice(1).replaceAll('_', ' ')
}

function withLabel(option: Option): Exclude<Option, string> {
  return typeof option === 'string' ? { value: option, label: inSentenceCase(option) } : option
}

type PasswordFieldProps = Frame &
  Omit<ComponentProps<'input'>, 'type'> & {
    /** The names of the button, where the field takes no password. */
    show?: string
    hide?: string
  }

export function PasswordField({
  label,
  hint,
  problem,
  reservesLine,
  show = controlsTexts.showPassword,
  hide = controlsTexts.hidePassword,
  ...rest
}: PasswordFieldProps) {
  const [isShown, setIsShown] = useState(false)
  const Icon = isShown ? EyeOff : Eye
  return (
    <FieldFrame label={label} hint={hint} problem={problem} reservesLine={reservesLine}>
      {({ className, ...wired }) => (
        <div className="relative">
          <input
            required
            type={isShown ? 'text' : 'password'}
            autoCapitalize="none"
            spellCheck={false}
            className={`${className} pe-12`}
            {...wired}
            {...rest}
          />
          <button
            type="button"
            aria-label={isShown ? hide : show}
            className="absolute inset-y-0 end-0 grid w-12 cursor-pointer place-items-center rounded-md text-soft hover:text-ink"
            onClick={() => setIsShown(!isShown)}
          >
            <Icon aria-hidden className="size-5" />
          </button>
        </div>
      )}
    </FieldFrame>
  )
}
