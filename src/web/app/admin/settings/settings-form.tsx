// A screen of settings from its description, and the parts of those that need more than a description.
import { type ReactNode, useEffect, useState } from 'react'
import { useSubmit } from 'react-router'
import type { z } from 'zod'
import {
  type SettingsGroup,
  type StoredSecret,
  settingGroups,
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
import { PasswordField } from '../../../components/further-fields.tsx'
import {
  Fields,
  Input,
  type Descriptions,
  type FieldDescription,
  type FieldProps,
} from '../../schema-fields.tsx'
import type { SentForm } from '../../schema-form.tsx'
import type { SettingsApi } from '#domains/settings/settings.routes.ts'
import { ProblemError, responseOf } from '../../../api.ts'
import { toast } from '../../../notices/toasts.tsx'
import { adminClient, load, showFailure } from '../calls.tsx'

export type FormGroup<Values> = SentForm &
  Pick<SettingsGroup, 'secrets' | 'variables' | 'warnings'> & { values: Values; saved: Values }

type SettingsDescription<Values> = {
  group: SettingGroupName
  title: string
  about: ReactNode
  schema: z.ZodObject & z.ZodType<Values>
  /** Reads what the schema alone cannot read from the form: fields of several inputs. */
  read?: (form: FormData) => Record<string, unknown>
  /** The fields stand in this order. One that is false is shown with another. */
  fields: Record<keyof Values & string, FieldDescription<FormGroup<Values>> | false>
}

type SettingsScreenProps = { loaderData: SettingsGroup | undefined; actionData: SaveResult | undefined }

/** Returns what the route of a group's screen exports. */
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

type SettingsFormProps<Shown> = {
  settings: SettingsDescription<Shown>
  group: SettingsGroup | undefined
  result: SaveResult | undefined
  /** The paths of the fields that are shown; all of them where it is missing. */
  paths?: readonly string[] | undefined
  /** These stand in the fields, and are saved with them. */
  proposed?: Values | undefined
  children?: ReactNode
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
  /** The result of the action when something was changed last. */
  const [changed, setChanged] = useState<{ after: SaveResult | undefined }>()
  function markChanged() {
    state.markChanged()
    setChanged({ after: result })
  }
  const isChanged = changed !== undefined && (changed.after === result || result?.isSaved === false)
  return { ...state, form: { ...state.form, onInput: markChanged }, markChanged, isChanged }
}

export function SettingsForm<Shown extends object>(props: SettingsFormProps<Shown>) {
  const { settings, group, result, paths, proposed, children } = props
  const { title, about, schema } = settings
  const fields: Descriptions<FormGroup<Shown>> = settings.fields
  const { form, isBusy, problems, markChanged, isChanged } = useActionForm(result)
  if (!group) return <LoadFailed card={title} title="The settings could not be loaded" />
  const conflict = result?.isSaved === false ? result.conflict : undefined
  const base = conflict?.latest ?? group
  const { secrets, variables, locked, warnings } = base
  const shown: FormGroup<Shown> = {
    schema,
    values: schema.parse({ ...base.values, ...proposed, ...withoutNulls(conflict?.own ?? {}) }),
    saved: schema.parse(base.values),
    secrets,
    variables,
    warnings,
    problems,
    fixed: (name, hint) => {
      const variable = variables[name]
      return locked[name] ?? (variable && fixedHint(variable, hint))
    },
    markChanged,
  }
  return (
    <Card title={title}>
      <form key={base.revision} {...form}>
        <input type="hidden" name="base" value={JSON.stringify(base)} />
        <fieldset disabled={isBusy} className="grid gap-6 px-5 py-5">
          <div className="max-w-prose text-pretty text-soft">{about}</div>
          {conflict && <Conflict latest={conflict.latest} />}
          {children}
          <div className="grid grid-cols-2 items-start gap-x-5 gap-y-6">
            <Fields paths={paths ?? Object.keys(fields)} fields={fields} form={shown} Input={SettingInput} />
          </div>
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

function SettingInput(props: FieldProps<FormGroup<unknown>>) {
  return props.path in props.form.secrets ? <SecretField {...props} /> : <Input {...props} />
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

export function fixedHint(variable: string, hint = ''): string {
  return `${hint} Set by ${variable} in the shop’s environment: to set it here, remove it there and start the shop again.`.trim()
}

const lost =
  'What is stored cannot be opened any more, because the shop has another AUTH_SECRET. Please enter it again.'

type SecretFieldProps = FieldProps<FormGroup<unknown>> & {
  isRemovable?: boolean
  /** The reason why the stored secret is of no use any more. */
  outdated?: string | undefined
  /** The names of the button, where it is no password. */
  show?: string
  hide?: string
}

/** The secret never comes back from the server. */
export function SecretField(props: SecretFieldProps) {
  const { form: group, path: name, label, hint, isRemovable = true, outdated, show, hide } = props
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
        {...(show && { show })}
        {...(hide && { hide })}
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

/** A space may be meant in them. Undefined where one stays, null where it is removed. */
function readSecrets(form: FormData, group: SettingGroupName): Values {
  const read = (name: string) => (form.has(`${name}_removed`) ? null : readText(form, name) || undefined)
  return Object.fromEntries(settingGroups[group].secrets.map((name) => [name, read(name)]))
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

/** A screen exports it as `shouldRevalidate`: values that were not saved stay on the screen. */
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

/** Sends only what was changed here: another admin may edit the other fields. */
export async function saveGroup({ group, schema, read }: GroupForm, request: Request): Promise<SaveResult> {
  const form = await request.formData()
  const base = settingsGroup.parse(JSON.parse(readText(form, 'base')))
  const entered = { ...readForm(schema, trimmed(form)), ...readSecrets(form, group), ...read?.(form) }
  const values = changesOf(entered, base)
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
