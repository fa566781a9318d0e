// A form that a schema and a description of its fields make up: it is sent once, and begins anew when it was saved.
import { useState, type ReactNode } from 'react'
import type { z } from 'zod'
import { Button } from '../components/button.tsx'
import { CancelButton, Dialog } from '../components/dialog.tsx'
import { useForm, type FormResult } from '../forms/form.ts'
import { bySchema } from './parse-form.ts'
import { Fields, type Descriptions, type FieldDescription, type FormFields } from './schema-fields.tsx'

export type SentForm = FormFields & { markChanged: () => void }

type FormDescription<Schema extends z.ZodObject> = {
  schema: Schema
  /** The fields are shown in this order. */
  fields: Record<keyof z.output<Schema> & string, FieldDescription<SentForm> | false>
  /** The fields begin with these. */
  values?: Partial<z.output<Schema>> | undefined
  /** Returns nothing where the form leads to a next step, which calls `markSaved`. */
  send: (values: z.output<Schema>, markSaved: () => void) => Promise<FormResult | void> | void
}

function useSchemaForm<Schema extends z.ZodObject>({
  schema,
  fields,
  values,
  send,
}: FormDescription<Schema>) {
  /** Counts what was saved: each entry begins with inputs of its own. */
  const [round, setRound] = useState(0)
  const { form, isBusy, problems, markChanged } = useForm(bySchema(schema), sendOne, {
    asksBeforeLeaving: true,
  })
  async function sendOne(entered: z.output<Schema>, markSaved: () => void) {
    const result = await send(entered, markSaved)
    if (result?.isSaved) setRound(round + 1)
    return result
  }
  const described: Descriptions<SentForm> = fields
  const shown = (
    <div key={round} className="grid grid-cols-2 items-start gap-5">
      <Fields
        paths={Object.keys(fields)}
        fields={described}
        form={{ schema, values, problems, markChanged }}
      />
    </div>
  )
  return { form, isBusy, shown }
}

type SchemaFormProps<Schema extends z.ZodObject> = FormDescription<Schema> & {
  button: string
  busyButton: string
  /** The button has the whole width on a phone, and a spinner while the form is sent. */
  isWide?: boolean
  className?: string
  children?: ReactNode
}

export function SchemaForm<Schema extends z.ZodObject>(props: SchemaFormProps<Schema>) {
  const { button, busyButton, isWide = false, className, children, ...description } = props
  const { form, isBusy, shown } = useSchemaForm(description)
  return (
    <form {...form} className={className}>
      <fieldset disabled={isBusy} className="grid gap-5">
        {children}
        {shown}
        <p>
          <Button type="submit" busy={isWide && isBusy} className={isWide ? 'max-sm:w-full' : ''}>
            {isBusy ? busyButton : button}
          </Button>
        </p>
      </fieldset>
    </form>
  )
}

type DialogFormProps<Schema extends z.ZodObject> = FormDescription<Schema> & {
  title: string
  about?: ReactNode
  action: string
  busyAction?: string
  isDanger?: boolean
  onClose: () => void
  children?: ReactNode
}

/** A form in a dialog, which `send` closes. */
export function DialogForm<Schema extends z.ZodObject>(props: DialogFormProps<Schema>) {
  const { title, about, action, busyAction = action, isDanger, onClose, children, ...description } = props
  const { form, isBusy, shown } = useSchemaForm(description)
  return (
    <Dialog title={title} isBusy={isBusy} onClose={onClose}>
      {about && <p className="mt-3 text-pretty text-soft">{about}</p>}
      <form {...form} noValidate={false} className="mt-5">
        <fieldset disabled={isBusy} className="grid gap-5 text-left text-base">
          {children}
          {shown}
          <p className="flex flex-wrap justify-end gap-3 max-sm:*:grow">
            <CancelButton />
            <Button type="submit" look={isDanger ? 'danger' : 'primary'}>
              {isBusy ? busyAction : action}
            </Button>
          </p>
        </fieldset>
      </form>
    </Dialog>
  )
}
