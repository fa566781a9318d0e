import { accountTexts } from '#words/account.ts'
import type { ReactNode } from 'react'
import { useFetcher } from 'react-router'
import { Button } from '../../components/button.tsx'
import { useActionForm, type FormResult } from '../../use-action-form.ts'

type AccountFormProps<Values> = {
  /** Which of the page's actions saves it. */
  intent: string
  label?: string
  isEmptied?: boolean
  children: (field: ReturnType<typeof useActionForm<Values>>['field']) => ReactNode
}

/** A form of the page; each has a fetcher of its own, so that one that is sent does not disable the others. */
export function AccountForm<Values>(props: AccountFormProps<Values>) {
  const { intent, label = accountTexts.save, isEmptied, children } = props
  const fetcher = useFetcher<FormResult>()
  const isBusy = fetcher.state !== 'idle'
  const { form, field, markChanged } = useActionForm<Values>(fetcher.data, { isBusy, isEmptied })
  return (
    <fetcher.Form ref={form} method="post" noValidate onInput={markChanged}>
      <fieldset disabled={isBusy} className="grid gap-5">
        <input type="hidden" name="intent" value={intent} />
        {children(field)}
        <p>
          <Button busy={isBusy} type="submit" className="max-sm:w-full">
            {isBusy ? accountTexts.saving : label}
          </Button>
        </p>
      </fieldset>
    </fetcher.Form>
  )
}
