import type { ComponentProps, ReactNode } from 'react'
import { Form } from 'react-router'
import { Button } from '../../components/button.tsx'
import type { useActionForm } from '../../use-action-form.ts'

type ActionFormProps = ComponentProps<typeof Form> & {
  state: Pick<ReturnType<typeof useActionForm>, 'form' | 'isBusy' | 'markChanged'>
  button: string
  busyButton: string
  children: ReactNode
}

/** The fields of a form that the screen's action saves, and its button. */
export function ActionForm({ state, button, busyButton, children, ...rest }: ActionFormProps) {
  const { form, isBusy, markChanged } = state
  return (
    <Form ref={form} method="post" noValidate className="p-5" onInput={markChanged} {...rest}>
      <fieldset disabled={isBusy} className="grid gap-5">
        {children}
        <p>
          <Button type="submit">{isBusy ? busyButton : button}</Button>
        </p>
      </fieldset>
    </Form>
  )
}
