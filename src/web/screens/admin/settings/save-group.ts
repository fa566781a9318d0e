import type { z } from 'zod'
import type { SettingGroupName } from '#contract/operations/setting-groups.ts'
import { settingsGroup, type SettingsGroup } from '#contract/operations/settings.ts'
import type { SettingsApi } from '#domains/operations/settings.routes.ts'
import type { FieldProblems } from '#contract/field-problems.ts'
import { ProblemError, responseOf } from '../../../api.ts'
import { checkFields } from '../../../check-fields.ts'
import { readText } from '../../../form.ts'
import { readForm } from '../../../read-form.ts'
import { toast } from '../../../toasts.tsx'
import { adminClient, load } from '../admin-client.ts'
import { showFailure } from '../admin-action.ts'

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

type Form = {
  group: SettingGroupName
  schema: z.ZodObject
  read?: (form: FormData) => Values
}

/** Only what was changed here is sent: another admin may edit the other fields. */
export async function saveGroup({ group, schema, read }: Form, request: Request): Promise<SaveResult> {
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
