// A screen of settings from its description, and the parts of those that need more than a description.
import { type ReactNode, useEffect, useId, useState, type ComponentProps } from 'react'
import { useSubmit } from 'react-router'
import type { z } from 'zod'
import {
  type SettingsGroup,
  type StoredSecret,
  settingsGroup,
  type SettingGroupName,
} from '#contract/settings/settings.ts'
import type { FieldProblems } from '#contract/field-rules.ts'
import { Time, formatMoment, formatDate } from '../../../format/format.tsx'
import { Callout } from '../../../components/note.tsx'
import { Button } from '../../../components/button.tsx'
import { Card, LoadFailed } from '../../card.tsx'
import { readForm } from '../../parse-form.ts'
import { asEntered, checkFields, readText, useForm } from '../../../forms/form.ts'
import { Field } from '../../../components/field.tsx'
import { SelectField, type Option, PasswordField } from '../../../components/further-fields.tsx'
import type { SettingsApi } from '#domains/settings/settings.routes.ts'
import { ProblemError, responseOf } from '../../../api.ts'
import { toast } from '../../../notices/toasts.tsx'
import { adminClient, load, showFailure } from '../calls.tsx'

export type FormGroup<Values> = Pick<SettingsGroup, 'secrets' | 'variables' | 'locked' | 'warnings'> & {
  values: Values
  saved: Values
  problems: FieldProblems | undefined
  markChanged: () => void
}

/** A text, a number, a switch where the value is a boolean, or a choice where there are options. */
type SettingDescription = {
  label: string
  hint: string
  options?: readonly Option[]
  input?: Omit<ComponentProps<typeof Field>, 'name' | 'label' | 'hint'>
}

type Setting<Values> = SettingDescription | ((props: { group: FormGroup<Values> }) => ReactNode)

type SettingsDescription<Values> = {
  group: SettingGroupName
  title: string
  about: ReactNode
  schema: z.ZodObject & z.ZodType<Values>
  /** What the schema alone cannot read from the form: secrets, and fields of several inputs. */
  read?: (form: FormData) => Record<string, unknown>
  /** In their order, by name. A component where a description does not do; it may show more settings than its own. */
  fields: Partial<Record<Extract<keyof Values, string>, Setting<Values>>>
}

type SettingsScreenProps = { loaderData: SettingsGroup | undefined; actionData: SaveResult | undefined }

/** What the route of a group's screen exports. */
export function defineSettings<Values extends object>(settings: SettingsDescription<Values>) {
  return {
    ...settings,
    clientLoader: () => loadGroup(settings.group),
    clientAction: ({ request }: { request: Request }) => saveGroup(settings, request),
    shouldRevalidate: isToBeLoaded,
    Screen: ({ loaderData, actionData }: SettingsScreenProps) => (
      <SettingsForm settings={settings} group={loaderData} result={actionData} />
    ),
  }
}

type SettingsFormProps<Values> = {
  settings: SettingsDescription<Values>
  group: SettingsGroup | undefined
  result: SaveResult | undefined
}

/** The screen's action saves it, and says what came of it. */
function useActionForm(result: SaveResult | undefined) {
  const submit = useSubmit()
  const state = useForm(asEntered, (entered) => submit(entered, { method: 'post' }), {
    refused: result?.isSaved === false ? result.problems : undefined,
    asksBeforeLeaving: true,
  })
  const { markSaved } = state
  useEffect(() => {
    if (result?.isSaved) markSaved()
  }, [result, markSaved])
  /** What had come of the action when something was changed last. */
  const [changed, setChanged] = useState<{ after: SaveResult | undefined }>()
  function markChanged() {
    state.markChanged()
    setChanged({ after: result })
  }
  const isChanged = changed !== undefined && (changed.after === result || result?.isSaved === false)
  return { ...state, form: { ...state.form, onInput: markChanged }, markChanged, isChanged }
}

export function SettingsForm<Values extends object>(props: SettingsFormProps<Values>) {
  const { settings, group, result } = props
  const { title, about, schema, fields } = settings
  const { form, isBusy, problems, markChanged, isChanged } = useActionForm(result)
  if (!group) return <LoadFailed card={title} title="The settings could not be loaded" />
  const conflict = result?.isSaved === false ? result.conflict : undefined
  const base = conflict?.latest ?? group
  const { secrets, variables, locked, warnings } = base
  const shown = {
    values: schema.parse({ ...base.values, ...withoutNulls(conflict?.own ?? {}) }),
    saved: schema.parse(base.values),
    secrets,
    variables,
    locked,
    warnings,
    problems,
    markChanged,
  }
  return (
    <Card title={title}>
      <form key={base.revision} {...form}>
        <input type="hidden" name="base" value={JSON.stringify(base)} />
        <fieldset disabled={isBusy} className="grid gap-6 px-5 py-5">
          <div className="max-w-prose text-pretty text-soft">{about}</div>
          {conflict && <Conflict latest={conflict.latest} />}
          {Object.entries<Setting<Values> | undefined>(fields).map(([name, Shown]) => {
            if (typeof Shown === 'function') return <Shown key={name} group={shown} />
            const value = shown.values[name]
            return Shown && <DescribedSetting key={name} {...Shown} name={name} value={value} group={shown} />
          })}
          <div
            data-save-bar={isChanged || undefined}
            className="flex flex-wrap items-center gap-x-5 gap-y-2 data-save-bar:sticky data-save-bar:bottom-0 data-save-bar:-mx-5 data-save-bar:-mb-5 data-save-bar:rounded-b-md data-save-bar:border-t data-save-bar:border-line data-save-bar:bg-surface data-save-bar:px-5 data-save-bar:py-3"
          >
            {!isFixed(base) && <Button type="submit">{isBusy ? 'Saving...' : 'Save'}</Button>}
            <LastChange group={base} />
          </div>
        </fieldset>
      </form>
    </Card>
  )
}

type DescribedSettingProps = SettingDescription & {
  name: string
  value: unknown
  group: FormGroup<unknown>
}

function DescribedSetting({ input, options, value, ...shown }: DescribedSettingProps) {
  if (typeof value === 'boolean') return <SettingSwitch {...shown} isOn={value} />
  const defaultValue = typeof value === 'number' ? value : String(value)
  return options ? (
    <SettingSelect {...shown} options={options} defaultValue={defaultValue} />
  ) : (
    <SettingField {...shown} {...input} defaultValue={defaultValue} />
  )
}

function isFixed({ values, secrets, variables }: SettingsGroup): boolean {
  return Object.keys({ ...values, ...secrets }).every((name) => name in variables)
}

function LastChange({ group: { changed_at, changed_by } }: { group: SettingsGroup }) {
  if (!changed_at) return null
  return (
    <p className="text-sm break-words text-soft max-sm:in-data-save-bar:hidden">
      Last changed by {changed_by} on <Time at={changed_at} />
    </p>
  )
}

function Conflict({ latest: { changed_by, changed_at } }: { latest: SettingsGroup }) {
  return (
    <Callout role="alert">
      Nothing was saved yet: {changed_by ?? 'another admin'} has changed these settings
      {changed_at && <span>{` on ${formatMoment(changed_at)}`}</span>}
      <span>
        {' '}
        while you were writing. What you entered is below, and everything else is as it was saved. Save again
        to put yours in place.
      </span>
    </Callout>
  )
}

type OwnProps<Props> = Omit<Props, 'name' | 'problem'> & { name: string; group: FormGroup<unknown> }

export function fixedHint(variable: string, hint = ''): string {
  return `${hint} Set by ${variable} in the shop’s environment: to set it here, remove it there and start the shop again.`.trim()
}

export function SettingField({ group, name, hint, ...rest }: OwnProps<ComponentProps<typeof Field>>) {
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

export function SettingSelect({ group, name, hint, ...rest }: OwnProps<ComponentProps<typeof SelectField>>) {
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
  group: FormGroup<unknown>
  name: string
  label: string
  hint: string
  isOn: boolean
}

function SettingSwitch({ group, name, label, hint, isOn }: SettingSwitchProps) {
  const variable = group.variables[name]
  const id = useId()
  return (
    <div className="flex gap-3">
      <input
        type="checkbox"
        id={id}
        name={name}
        defaultChecked={isOn}
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
            <Button
              look="quiet"
              onClick={() => {
                setState('removed')
                group.markChanged()
              }}
            >
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

const api = adminClient<SettingsApi>('Save')
type Values = Record<string, unknown>

export type SaveResult =
  | { isSaved: true; changed: readonly string[] }
  | {
      isSaved: false
      problems?: FieldProblems | undefined
      /** Another admin has saved meanwhile: what is stored now, and what was entered here. */
      conflict?: { latest: SettingsGroup; own: Values }
    }

const readGroup = (group: SettingGroupName) => responseOf(api.settings[':group'].$get({ param: { group } }))

export function loadGroup(group: SettingGroupName): Promise<SettingsGroup | undefined> {
  return load('Failed to fetch the settings', () => readGroup(group))
}

/** For a screen's `shouldRevalidate`: what was not saved stays on the screen. */
export function isToBeLoaded({ actionResult }: { actionResult?: unknown }): boolean {
  return (
    !(typeof actionResult === 'object' && actionResult !== null && 'isSaved' in actionResult) ||
    actionResult.isSaved === true
  )
}

type GroupForm = {
  group: SettingGroupName
  schema: z.ZodObject
  read?: ((form: FormData) => Values) | undefined
}

/** Only what was changed here is sent: another admin may edit the other fields. */
export async function saveGroup({ group, schema, read }: GroupForm, request: Request): Promise<SaveResult> {
  const form = await request.formData()
  const base = settingsGroup.parse(JSON.parse(readText(form, 'base')))
  const values = changesOf({ ...readForm(schema, trimmed(form)), ...read?.(form) }, base)
  if (Object.keys(values).length === 0) {
    toast({ title: 'Nothing changed', description: 'The settings are as they were.' })
    return { isSaved: true, changed: [] }
  }
  const problems = checkFields(schema.partial(), withoutNulls(values))
  if (problems) return { isSaved: false, problems }
  try {
    const json = { revision: base.revision, values }
    await responseOf(api.settings[':group'].$put({ param: { group }, json }))
    toast({ title: 'Settings saved', description: 'They apply from now on.' })
    return { isSaved: true, changed: Object.keys(values) }
  } catch (error) {
    const isConflict = error instanceof ProblemError && error.code === 'settings.changed'
    const latest = isConflict ? await readGroup(group).catch(() => undefined) : undefined
    return latest
      ? { isSaved: false, conflict: { latest, own: values } }
      : showFailure('Couldn’t save', error)
  }
}

/** Secrets, in which a space may be meant, are read by `read`. */
function trimmed(form: FormData): FormData {
  const result = new FormData()
  for (const [name, value] of form) result.append(name, typeof value === 'string' ? value.trim() : value)
  return result
}

/** Secrets are in the form only where they were entered, or null to be removed. */
function changesOf(entered: Values, { values, variables }: SettingsGroup): Values {
  const isChanged = ([name, value]: [string, unknown]) =>
    value !== undefined && !(name in variables) && JSON.stringify(value) !== JSON.stringify(values[name])
  return Object.fromEntries(Object.entries(entered).filter(isChanged))
}

function withoutNulls(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
}
