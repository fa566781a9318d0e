import type { ReactNode } from 'react'
import { Form } from 'react-router'
import type { z } from 'zod'
import type { SettingsGroup } from '#contract/operations/settings.ts'
import type { FieldProblems } from '#contract/field-problems.ts'
import { Time } from '../../../time.tsx'
import { Callout } from '../../../components/callout.tsx'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { formatMoment } from '../../../format.ts'
import { useActionForm } from '../../../use-action-form.ts'
import type { SaveResult } from './save-group.ts'

export type FormGroup<Values> = Pick<SettingsGroup, 'secrets' | 'variables' | 'locked'> & {
  values: Values
  saved: Values
  problems: FieldProblems | undefined
  markChanged: () => void
}

type SettingsFormProps<Values> = {
  title: string
  about: ReactNode
  found: SettingsGroup
  schema: z.ZodType<Values>
  result: SaveResult | undefined
  children: (group: FormGroup<Values>) => ReactNode
}

export function SettingsForm<Values>(props: SettingsFormProps<Values>) {
  const { title, about, found, schema, result, children } = props
  const { form, isBusy, problems, markChanged } = useActionForm(result)
  const conflict = result?.isSaved === false ? result.conflict : undefined
  const base = conflict?.latest ?? found
  const values = schema.parse({ ...base.values, ...conflict?.own })
  return (
    <Card title={title}>
      <Form ref={form} key={base.revision} method="post" noValidate onInput={markChanged}>
        <input type="hidden" name="base" value={JSON.stringify(base)} />
        <fieldset disabled={isBusy} className="grid gap-6 px-5 py-5">
          <div className="max-w-prose text-pretty text-soft">{about}</div>
          {conflict && <Conflict latest={conflict.latest} />}
          {children({
            values,
            saved: schema.parse(base.values),
            secrets: base.secrets,
            variables: base.variables,
            locked: base.locked,
            problems,
            markChanged,
          })}
          <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
            {!isFixed(base) && <Button type="submit">{isBusy ? 'Saving...' : 'Save'}</Button>}
            <LastChange group={base} />
          </div>
        </fieldset>
      </Form>
    </Card>
  )
}

function isFixed({ values, secrets, variables }: SettingsGroup): boolean {
  return Object.keys({ ...values, ...secrets }).every((name) => name in variables)
}

function LastChange({ group: { changed_at, changed_by } }: { group: SettingsGroup }) {
  if (!changed_at) return null
  return (
    <p className="text-sm break-words text-soft">
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
