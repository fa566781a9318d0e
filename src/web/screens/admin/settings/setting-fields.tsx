import { useId, useState, type ComponentProps, type ReactNode } from 'react'
import type { StoredSecret } from '#contract/operations/settings.ts'
import { readText } from '../../../form.ts'
import { formatDate } from '../../../format.ts'
import { Button } from '../../../components/button.tsx'
import { Field } from '../../../components/field.tsx'
import { SelectField } from '../../../components/select-field.tsx'
import { PasswordField } from '../../../components/password-field.tsx'
import type { FormGroup } from './settings-form.tsx'

type Own<Props> = Omit<Props, 'name' | 'problem'> & { name: string; group: FormGroup<unknown> }

export function fixedHint(variable: string, hint = ''): string {
  return `${hint} Set by ${variable} in the shop’s environment: to set it here, remove it there and start the shop again.`.trim()
}

export function SettingField({ group, name, hint, ...rest }: Own<ComponentProps<typeof Field>>) {
  const variable = group.variables[name]
  return (
    <Field
      name={name}
      readOnly={variable !== undefined}
      hint={variable ? fixedHint(variable, hint) : hint}
      problem={group.problems?.[name]}
      {...rest}
    />
  )
}

export function SettingSelect({ group, name, hint, ...rest }: Own<ComponentProps<typeof SelectField>>) {
  const variable = group.variables[name]
  const locked = group.locked[name]
  return (
    <SelectField
      name={name}
      disabled={variable !== undefined || locked !== undefined}
      hint={locked ?? (variable ? fixedHint(variable, hint) : hint)}
      problem={group.problems?.[name]}
      {...rest}
    />
  )
}

type SettingSwitchProps = {
  group: FormGroup<Record<string, unknown>>
  name: string
  label: string
  hint: string
}

export function SettingSwitch({ group, name, label, hint }: SettingSwitchProps) {
  const variable = group.variables[name]
  const id = useId()
  return (
    <div className="flex gap-3">
      <input
        type="checkbox"
        id={id}
        name={name}
        defaultChecked={group.values[name] === true}
        disabled={variable !== undefined}
        aria-describedby={`${id}-hint`}
        className="mt-1 size-4.5 shrink-0 accent-ink"
      />
      <div>
        <label htmlFor={id} className="font-semibold">
          {label}
        </label>
        <p id={`${id}-hint`} className="mt-0.5 text-sm text-pretty text-soft">
          {variable ? fixedHint(variable, hint) : hint}
        </p>
      </div>
    </div>
  )
}

const lost =
  'What is stored cannot be opened any more, because the shop has another AUTH_SECRET. Please enter it again.'

type SecretFieldProps = {
  group: FormGroup<unknown>
  name: string
  label: string
  hint?: string
  isRemovable?: boolean
  outdated?: string | undefined
}

/** The secret never comes back from the server. */
export function SecretField({ group, name, label, hint, isRemovable = true, outdated }: SecretFieldProps) {
  const stored = group.secrets[name]
  const [state, setState] = useState<'kept' | 'entered' | 'removed'>(stored?.is_readable ? 'kept' : 'entered')
  const variable = group.variables[name]
  if (variable) return <EnvironmentValue label={label} text={fixedHint(variable)} />
  if (!stored || outdated || state === 'entered') {
    return (
      <PasswordField
        label={label}
        name={name}
        autoComplete="off"
        hint={stored && !stored.is_readable ? lost : ((stored && outdated) ?? hint ?? '')}
        problem={group.problems?.[name]}
      />
    )
  }
  const text = state === 'removed' ? 'It is removed when you save.' : describe(stored)
  return (
    <EnvironmentValue label={label} text={text}>
      {state === 'removed' && <input type="hidden" name={`${name}_removed`} value="yes" />}
      {state === 'removed' ? (
        <Button look="outline" onClick={() => setState('kept')}>
          Keep it
        </Button>
      ) : (
        <>
          <Button look="outline" onClick={() => setState('entered')}>
            Replace
          </Button>
          {isRemovable && (
            <Button look="quiet" onClick={() => setState('removed')}>
              Remove
            </Button>
          )}
        </>
      )}
    </EnvironmentValue>
  )
}

function EnvironmentValue({ label, text, children }: { label: string; text: string; children?: ReactNode }) {
  return (
    <div role="group" aria-label={label} className="grid gap-2">
      <p className="font-semibold">{label}</p>
      <p className="text-sm break-words text-soft">{text}</p>
      {children && <p className="flex flex-wrap gap-2">{children}</p>}
    </div>
  )
}

function describe({ ends_in, set_at, set_by }: StoredSecret): string {
  return `Stored${ends_in ? `, ends in …${ends_in}` : ''}. Set by ${set_by} on ${formatDate(set_at)}.`
}

/** Undefined where it stays, null where it is removed. */
export function readSecret(form: FormData, name: string): string | null | undefined {
  if (form.has(`${name}_removed`)) return null
  return readText(form, name) || undefined
}
