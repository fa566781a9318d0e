import { useRef, useState, type ReactNode } from 'react'
import type { z } from 'zod'
import type { FieldProblems } from '#platform/contract/field-problems.ts'
import { Button } from '../../components/button.tsx'
import { CancelButton, Dialog } from '../../components/dialog.tsx'
import { useFocusWrong } from '../../focus-back.ts'
import { parseForm } from '../../read-form.ts'
import { useUnsavedChanges } from '../../use-unsaved-changes.ts'

type DialogFormProps<Schema extends z.ZodObject> = {
  title: string
  about?: ReactNode
  action: string
  isDanger?: boolean
  schema: Schema
  onSubmit: (values: z.output<Schema>) => void
  onClose: () => void
  children: (
    field: (name: keyof z.output<Schema> & string) => { name: string; problem: string | undefined },
  ) => ReactNode
}

/** A form in a dialog that closes when its values are as the schema asks. */
export function DialogForm<Schema extends z.ZodObject>(props: DialogFormProps<Schema>) {
  const { title, about, action, isDanger, schema, onSubmit, onClose, children } = props
  const form = useRef<HTMLFormElement>(null)
  const [problems, setProblems] = useState<FieldProblems>()
  const { markChanged } = useUnsavedChanges()
  useFocusWrong(form, problems)
  return (
    <Dialog title={title} onClose={onClose}>
      {about && <p className="mt-3 text-pretty text-soft">{about}</p>}
      <form
        ref={form}
        className="mt-5 grid gap-5 text-left text-base"
        onInput={markChanged}
        onSubmit={(event) => {
          event.preventDefault()
          const parsed = parseForm(schema, new FormData(event.currentTarget))
          setProblems(parsed.problems)
          if (!parsed.values) return
          onClose()
          onSubmit(parsed.values)
        }}
      >
        {children((name) => ({ name, problem: problems?.[name] }))}
        <p className="flex flex-wrap justify-end gap-3 max-sm:*:grow">
          <CancelButton />
          <Button type="submit" look={isDanger ? 'danger' : 'primary'}>
            {action}
          </Button>
        </p>
      </form>
    </Dialog>
  )
}
