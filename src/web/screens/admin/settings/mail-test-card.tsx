import { useFetcher } from 'react-router'
import type { MailTest } from '#contract/mail/mail-test.ts'
import type { MailSetupApi } from '#domains/mail/mail-setup.routes.ts'
import { responseOf } from '../../../api.ts'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { CircleCheck, TriangleAlert } from '../icons.tsx'
import { showFailure } from '../admin-action.ts'
import { adminClient } from '../admin-client.ts'

const api = adminClient<MailSetupApi>()

export type TestResult = { tested: MailTest | undefined }

export function isTest(action: string | undefined): boolean {
  return action?.endsWith('?test') === true
}

export async function sendTest(): Promise<TestResult> {
  try {
    return { tested: await responseOf(api.mail.test.$post({ json: {} })) }
  } catch (error) {
    showFailure('Couldn’t send', error)
    return { tested: undefined }
  }
}

export function MailTestCard({ hasServer }: { hasServer: boolean }) {
  const fetcher = useFetcher<TestResult>()
  const isBusy = fetcher.state !== 'idle'
  return (
    <Card title="Send me a test" contentClass="grid gap-4 px-5 py-5">
      <p className="max-w-prose text-pretty text-soft">
        {hasServer
          ? 'An email to your own address, with the settings as they are saved. You see what the server answers.'
          : 'Choose a provider and save first. Then a test shows whether emails arrive.'}
      </p>
      <p>
        <Button
          busy={isBusy}
          look="outline"
          disabled={!hasServer || isBusy}
          onClick={() => void fetcher.submit(null, { method: 'post', action: '?test' })}
        >
          {isBusy ? 'Sending...' : 'Send me a test'}
        </Button>
      </p>
      <div role="status">{!isBusy && fetcher.data?.tested && <TestOutcome test={fetcher.data.tested} />}</div>
    </Card>
  )
}

function TestOutcome({ test: { is_accepted, to, answer, advice } }: { test: MailTest }) {
  const Icon = is_accepted ? CircleCheck : TriangleAlert
  return (
    <div className="flex gap-3">
      <Icon
        aria-hidden
        className={`mt-0.5 size-5 shrink-0 ${is_accepted ? 'text-success' : 'text-danger'}`}
      />
      <div className="grid min-w-0 gap-2">
        <p className="font-semibold">
          {is_accepted ? 'The mail server took the email.' : 'The email was not sent.'}
        </p>
        <p className="text-sm break-words text-soft">
          The server’s response: <code className="text-ink">{answer}</code>
        </p>
        <p className="max-w-prose text-pretty">
          {is_accepted
            ? `Now look into the mailbox of ${to}. It may take a minute; look into the spam folder too.`
            : advice}
        </p>
      </div>
    </div>
  )
}
