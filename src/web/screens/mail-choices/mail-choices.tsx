// Where the link in emails about new editions leads, signed in or not. Only pressing the button changes something: mail
// scanners open links too.
import { accountTexts } from '#words/account.ts'
import { useState } from 'react'
import type { MailChoices } from '#contract/delivery/editions.ts'
import { api, ProblemError, responseOf } from '../../api.ts'
import { failure } from '../../copy.ts'
import { MessagePage } from '../../message-page.tsx'
import { toast } from '../../toasts.tsx'
import { Button, ButtonLink } from '../../components/button.tsx'
import type { Route } from './+types/mail-choices.ts'

const choices = api['mail-choices'][':token']

/** Undefined for a link that is not known. */
export async function clientLoader({ params }: Route.ClientLoaderArgs): Promise<MailChoices | undefined> {
  try {
    return await responseOf(choices.$get({ param: params }))
  } catch (error) {
    if (!(error instanceof ProblemError && error.status === 404))
      toast(failure(accountTexts.mailChoices.failed, error))
    return undefined
  }
}

export function meta() {
  return [{ title: accountTexts.mailChoices.page }, { name: 'robots', content: 'noindex' }]
}

export function HydrateFallback() {
  return <MessagePage title={accountTexts.mailChoices.page} />
}

export default function MailChoicesPage({ loaderData, params }: Route.ComponentProps) {
  const texts = accountTexts.mailChoices
  const [saved, setSaved] = useState<MailChoices>()
  const [isBusy, setIsBusy] = useState(false)
  if (!loaderData)
    return (
      <MessagePage title={texts.over} text={texts.overText}>
        <ButtonLink to="/account">{texts.account}</ButtonLink>
      </MessagePage>
    )
  const { has_editions } = saved ?? loaderData

  async function save() {
    setIsBusy(true)
    try {
      setSaved(await responseOf(choices.$put({ param: params, json: { has_editions: !has_editions } })))
    } catch (error) {
      toast(failure(texts.failed, error))
    }
    setIsBusy(false)
  }

  const label = has_editions ? texts.stop : texts.again
  return (
    <MessagePage title={texts.page} text={has_editions ? texts.on : texts.off}>
      <p className="text-pretty text-soft">{texts.others}</p>
      <Button look={has_editions ? 'primary' : 'outline'} disabled={isBusy} onClick={() => void save()}>
        {isBusy ? texts.busy : label}
      </Button>
    </MessagePage>
  )
}
