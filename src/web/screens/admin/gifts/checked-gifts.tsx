import { useEffect, useId, useRef, useState } from 'react'
import type { GiftsApi } from '#domains/delivery/grants.routes.ts'
import type { GiftCheck, GiftRequest, GiftSending, GiftsSent } from '#contract/delivery/gifts.ts'
import { ProblemError, responseOf } from '../../../api.ts'
import { failure } from '../../../copy.ts'
import { toast } from '../../../toasts.tsx'
import { formatCount } from '../../../format.ts'
import { Callout } from '../../../components/callout.tsx'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { BadRows, countEmails, Recipients, type OutcomeLabels } from './recipients.tsx'
import { adminClient } from '../admin-client.ts'
import { isProofMissing } from '../../../proof-dialog.tsx'

const api = adminClient<GiftsApi>('Send')

type CheckedGiftsProps = {
  request: GiftRequest
  check: GiftCheck
  onBack: () => void
  onSent: (sent: GiftsSent) => void
}

export function CheckedGifts({ request, check, onBack, onSent }: CheckedGiftsProps) {
  const heading = useRef<HTMLParagraphElement>(null)
  const [isBusy, setIsBusy] = useState(false)
  const [mailsAgain, setMailsAgain] = useState(false)
  useEffect(() => heading.current?.focus(), [])
  const { recipients, bad_rows, mail, is_mail_kept, uses_left } = check
  const before = countOutcome(check, 'given_before')
  const added = countOutcome(check, 'new')
  const count = added + (mailsAgain ? before : 0)

  async function send() {
    setIsBusy(true)
    const sent = await sendGifts({ ...request, mails_again: mailsAgain })
    setIsBusy(false)
    if (sent) onSent(sent)
  }
  return (
    <Card title="Before it is sent" contentClass="grid gap-6 p-5">
      <div className="grid gap-2.5">
        <p ref={heading} tabIndex={-1} className="font-semibold">
          {count === 0
            ? 'Nobody on this list gets anything.'
            : `${countEmails(count)} will be ${is_mail_kept ? 'kept' : 'sent'}.`}
        </p>
        {is_mail_kept && count > 0 && <KeptNotice isCode={request.present.kind === 'code'} />}
      </div>
      {uses_left !== null && uses_left < added && <FewUses left={uses_left} count={added} />}
      <BadRows rows={bad_rows} />
      {/* A kept mail need not be kept twice. */}
      {before > 0 && !is_mail_kept && (
        <MailAgain count={before} isChosen={mailsAgain} onChange={setMailsAgain} />
      )}
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <MailText {...mail} />
        <Recipients recipients={recipients} labels={labelsFor(mailsAgain)} />
      </div>
      <p className="flex flex-wrap gap-3">
        <Button disabled={isBusy || count === 0} onClick={() => void send()}>
          {isBusy ? 'Sending...' : `${is_mail_kept ? 'Give, and keep' : 'Send'} ${countEmails(count)}`}
        </Button>
        <Button look="outline" disabled={isBusy} onClick={onBack}>
          Change something
        </Button>
      </p>
    </Card>
  )
}

function countOutcome({ recipients }: GiftCheck, wanted: GiftCheck['recipients'][number]['outcome']) {
  return recipients.filter(({ outcome }) => outcome === wanted).length
}

const labelsFor = (mailsAgain: boolean): OutcomeLabels => ({
  new: 'gets it',
  mailed_again: 'gets the email again',
  given_before: mailsAgain ? 'gets the email again' : 'got it before',
  has_it: 'has it already',
  sold_out: 'sold out',
  limited: 'too many today',
  failed: 'failed',
})

function KeptNotice({ isCode }: { isCode: boolean }) {
  return (
    <Callout>
      The shop does not send email yet.{' '}
      {isCode ? 'The emails are kept' : 'The copies are given at once, and their emails are kept'}: when mail
      is set up, send them under Emails.
    </Callout>
  )
}

function FewUses({ left, count }: { left: number; count: number }) {
  return (
    <Callout>
      This code can be used {left === 1 ? 'once more' : `${formatCount(left)} more times`}, and{' '}
      {formatCount(count)} people get it. Once it is used up, it takes nothing off any more; the email says
      how often it works.
    </Callout>
  )
}

type MailAgainProps = { count: number; isChosen: boolean; onChange: (isChosen: boolean) => void }

function MailAgain({ count, isChosen, onChange }: MailAgainProps) {
  const id = useId()
  return (
    <div className="flex items-start gap-3">
      <input
        id={id}
        type="checkbox"
        className="mt-1 size-5 shrink-0 accent-ink"
        checked={isChosen}
        onChange={({ target }) => onChange(target.checked)}
      />
      <label htmlFor={id} className="cursor-pointer text-pretty">
        Send the email again to{' '}
        {count === 1 ? 'the one who got this before' : `the ${formatCount(count)} who got this before`},
        unless it went out in the last ten minutes
      </label>
    </div>
  )
}

function MailText({ subject, text }: GiftCheck['mail']) {
  return (
    <section aria-label="The email as plain text" className="min-w-0">
      <p className="font-semibold wrap-anywhere">{subject}</p>
      <pre className="mt-2 rounded-md bg-ink/5 p-4 text-sm break-words whitespace-pre-wrap">{text}</pre>
    </section>
  )
}

async function sendGifts(sending: GiftSending): Promise<GiftsSent | undefined> {
  try {
    return await responseOf(api.gifts.$post({ json: sending }))
  } catch (error) {
    const isRefused = error instanceof ProblemError && error.status < 500
    if (!isProofMissing(error)) toast(isRefused ? failure('Couldn’t send', error) : uncertain)
    return undefined
  }
}

const uncertain = {
  title: 'No response',
  description: 'Some may have got it. Send the same list again: nobody gets it twice.',
  destructive: true,
}
