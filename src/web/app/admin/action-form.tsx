import { type ComponentProps, type ReactNode, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { useForm } from '../../form.ts'
import { bySchema } from '../parse-form.ts'
import type { z } from 'zod'
import { CancelButton, Dialog } from '../../components/dialog.tsx'
import { type CallNotices, useAdminCall } from './call-button.tsx'

type AdminFormProps = ComponentProps<'form'> & {
  state: Pick<ReturnType<typeof useForm>, 'form' | 'isBusy'>
  button: string
  busyButton: string
  children: ReactNode
}

export function AdminForm({ state, button, busyButton, children, ...rest }: AdminFormProps) {
  const { form, isBusy } = state
  return (
    <form {...form} className="p-5" {...rest}>
      <fieldset disabled={isBusy} className="grid gap-5">
        {children}
        <p>
          <Button type="submit">{isBusy ? busyButton : button}</Button>
        </p>
      </fieldset>
    </form>
  )
}

type DialogFormProps<Schema extends z.ZodObject> = {
  title: string
  about?: ReactNode
  action: string
  isDanger?: boolean
  schema: Schema
  onSubmit: (values: z.output<Schema>) => void
  onClose: () => void
  children: (field: ReturnType<typeof useForm<z.output<Schema>>>['field']) => ReactNode
}

/** A form in a dialog that closes when its values are as the schema asks. */
export function DialogForm<Schema extends z.ZodObject>(props: DialogFormProps<Schema>) {
  const { title, about, action, isDanger, schema, onSubmit, onClose, children } = props
  const { form, field } = useForm(bySchema(schema), send, { asksBeforeLeaving: true })
  function send(values: z.output<Schema>) {
    onClose()
    onSubmit(values)
  }
  return (
    <Dialog title={title} onClose={onClose}>
      {about && <p className="mt-3 text-pretty text-soft">{about}</p>}
      <form {...form} noValidate={false} className="mt-5 grid gap-5 text-left text-base">
        {children(field)}
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

type DialogFormButtonProps<Schema extends z.ZodObject, Body> = CallNotices<Body> &
  Omit<DialogFormProps<Schema>, 'onSubmit' | 'onClose'> & {
    button: ComponentProps<typeof Button>
    call: (values: z.output<Schema>) => Promise<Body>
  }

/** A call with what is entered in a dialog, which this button opens. */
export function DialogFormButton<Schema extends z.ZodObject, Body>(
  props: DialogFormButtonProps<Schema, Body>,
) {
  const { button, call, done, failed, ...form } = props
  const [isBusy, run] = useAdminCall()
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      <Button disabled={isBusy} onClick={() => setIsAsking(true)} {...button} />
      {isAsking && (
        <DialogForm
          {...form}
          onSubmit={(values) => void run(() => call(values), { done, failed })}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  )
}
