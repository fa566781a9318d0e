// The form of a group of settings: what is stored, what the environment sets, saving, and the proof that saving asks for.
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Form, useNavigation, useSubmit } from 'react-router'
import type { z } from 'zod'
import type { SettingsGroup } from '#features/settings/contract/settings.ts'
import type { FieldProblems } from '#platform/contract/field-problems.ts'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { useFocusBack, useFocusWrong } from '../../../focus-back.ts'
import { formatMoment } from '../../../format.ts'
import { useUnsavedChanges } from '../../../use-unsaved-changes.ts'
import { ProofDialog } from './proof-dialog.tsx'
import type { SaveResult } from './save-group.ts'

export type FormGroup<Values> = Pick<SettingsGroup, 'secrets' | 'variables' | 'locked'> & {
  values: Values
  /** What is in force, where `values` has what was entered and not saved. */
  saved: Values
  problems: FieldProblems | undefined
  /** To be called when something changes that is no field of the form. */
  markChanged: () => void
}

type SettingsFormProps<Values> = {
  title: string
  /** What these settings are for. */
  about: ReactNode
  found: SettingsGroup
  /** Of the values that are shown. */
  schema: z.ZodType<Values>
  result: SaveResult | undefined
  children: (group: FormGroup<Values>) => ReactNode
}

export function SettingsForm<Values>({
  title,
  about,
  found,
  schema,
  result,
  children,
}: SettingsFormProps<Values>) {
  const isBusy = useNavigation().formMethod !== undefined
  const form = useRef<HTMLFormElement>(null)
  const submit = useSubmit()
  /** The admin has given up proving who asked for this one. */
  const [closed, setClosed] = useState<SaveResult>()
  const failed = result?.isSaved === false ? result : undefined
  const base = failed?.conflict?.latest ?? found
  const values = schema.parse({ ...base.values, ...failed?.conflict?.own })
  useFocusBack(form, isBusy)
  useFocusWrong(form, failed?.problems)
  const { markChanged, markSaved } = useUnsavedChanges()
  useEffect(() => {
    if (result?.isSaved) markSaved()
  }, [result, markSaved])

  /** Together with what was entered in the form. */
  function sendWith(proof: FormData) {
    const data = new FormData(form.current ?? undefined)
    for (const [name, value] of proof) data.set(name, value)
    void submit(data, { method: 'post' })
  }

  return (
    <Card title={title}>
      <Form ref={form} key={base.revision} method="post" noValidate onInput={markChanged}>
        <input type="hidden" name="base" value={JSON.stringify(base)} />
        <fieldset disabled={isBusy} className="grid gap-6 px-5 py-5">
          <div className="max-w-prose text-pretty text-soft">{about}</div>
          {failed?.conflict && <Conflict latest={failed.conflict.latest} />}
          {children({
            values,
            saved: schema.parse(base.values),
            secrets: base.secrets,
            variables: base.variables,
            locked: base.locked,
            problems: failed?.problems,
            markChanged,
          })}
          <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
            {!isFixed(base) && <Button type="submit">{isBusy ? 'Saving...' : 'Save'}</Button>}
            <LastChange group={base} />
          </div>
        </fieldset>
      </Form>
      {failed?.proof && closed !== result && (
        <ProofDialog
          wrong={failed.proof.wrong}
          isBusy={isBusy}
          onSend={sendWith}
          onClose={() => setClosed(result)}
        />
      )}
    </Card>
  )
}

/** Nothing of it can be changed here. */
function isFixed({ values, secrets, variables }: SettingsGroup): boolean {
  return Object.keys({ ...values, ...secrets }).every((name) => name in variables)
}

function LastChange({ group: { changed_at, changed_by } }: { group: SettingsGroup }) {
  if (!changed_at) return null
  return (
    <p className="text-sm break-words text-soft">
      Last changed by {changed_by} on <time dateTime={changed_at}>{formatMoment(changed_at)}</time>
    </p>
  )
}

function Conflict({ latest: { changed_by, changed_at } }: { latest: SettingsGroup }) {
  return (
    <p role="alert" className="rounded-md border border-gold/60 bg-gold/10 px-4 py-3 text-sm text-pretty">
      Nothing was saved yet: {changed_by ?? 'another admin'} has changed these settings
      {changed_at && ` on ${formatMoment(changed_at)}`} while you were writing. What you entered is below, and
      everything else is as it was saved. Save again to put yours in place.
    </p>
  )
}
