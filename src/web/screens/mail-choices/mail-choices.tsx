// Where the link in emails about new editions leads, signed in or not. Only pressing the button changes something: mail
// scanners open links too.
import { accountTexts } from '#words/account.ts'
import { useState, type ReactNode } from 'react'
import type { MailChoices } from '#features/editions/contract/editions.ts'
import { api, ProblemError, responseOf } from '../../api.ts'
import { failure } from '../../copy.ts'
import { SiteFooter } from '../../site-footer.tsx'
import { SiteHeader } from '../../site-header.tsx'
import { toast } from '../../toasts.tsx'
import { Button, ButtonLink } from '../../components/button.tsx'
import { Container } from '../../components/container.tsx'
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
  return <Page title={accountTexts.mailChoices.page} />
}

export default function MailChoicesPage({ loaderData, params }: Route.ComponentProps) {
  const texts = accountTexts.mailChoices
  const [saved, setSaved] = useState<MailChoices>()
  const [isBusy, setIsBusy] = useState(false)
  if (!loaderData)
    return (
      <Page title={texts.over} text={texts.overText}>
        <ButtonLink to="/account">{texts.account}</ButtonLink>
      </Page>
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
    <Page title={texts.page} text={has_editions ? texts.on : texts.off}>
      <p className="text-pretty text-soft">{texts.others}</p>
      <Button look={has_editions ? 'primary' : 'outline'} disabled={isBusy} onClick={() => void save()}>
        {isBusy ? texts.busy : label}
      </Button>
    </Page>
  )
}

type PageProps = { title: string; text?: string; children?: ReactNode }

function Page({ title, text, children }: PageProps) {
  return (
    <>
      <SiteHeader />
      <main id="main" tabIndex={-1}>
        <Container isText className="grid justify-items-center gap-6 py-12 text-center sm:py-20">
          <h1 className="font-display text-4xl text-balance">{title}</h1>
          <p role="status" className="text-lg text-pretty">
            {text}
          </p>
          {children}
        </Container>
      </main>
      <SiteFooter />
    </>
  )
}
