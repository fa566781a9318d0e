import { useEffect, useRef } from 'react'
import type { GrantOutcome, GrantsSent } from '#contract/delivery/grants.ts'
import { TextLink } from '../links.tsx'
import { formatCount } from '../../../format.tsx'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { BadRows, countEmails, notMailedLabels, Recipients, type OutcomeLabels } from './recipients.tsx'

type SentGiftsProps = {
  sent: GrantsSent
  onBack: (() => void) | undefined
  onDone: () => void
}

export function SentGifts({ sent, onBack, onDone }: SentGiftsProps) {
  const heading = useRef<HTMLParagraphElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const { recipients, bad_rows, is_mail_kept } = sent
  const missed = recipients.filter(({ outcome }) => !isMailed(outcome))
  const count = recipients.length - missed.length
  const mailedLabel = is_mail_kept ? 'kept' : 'on its way'
  const labels: OutcomeLabels = { ...notMailedLabels, new: mailedLabel, mailed_again: mailedLabel }
  return (
    <Card title={missed.length === 0 ? 'Given' : 'Given, but not to everybody'} contentClass="grid gap-6 p-5">
      <div className="grid gap-2.5">
        <p ref={heading} tabIndex={-1} className="font-semibold">
          {headingFor(count, is_mail_kept)}
        </p>
        {is_mail_kept && count > 0 && (
          <p className="max-w-prose text-sm text-pretty text-soft">
            The shop does not send email yet, so nobody has heard of it.{' '}
            <TextLink to="/admin/settings/mail">Set up email</TextLink>, then send them from{' '}
            <TextLink to="/admin/mails">Mail</TextLink>.
          </p>
        )}
        <Missed outcomes={missed.map(({ outcome }) => outcome)} />
      </div>
      <BadRows rows={bad_rows} />
      <Recipients
        recipients={[...missed, ...recipients.filter(({ outcome }) => isMailed(outcome))]}
        labels={labels}
      />
      <p className="flex flex-wrap gap-3">
        {onBack && <Button onClick={onBack}>Back to the list</Button>}
        <Button look={onBack ? 'outline' : 'primary'} onClick={onDone}>
          {onBack ? 'Begin a new list' : 'Done'}
        </Button>
      </p>
    </Card>
  )
}

export function isMailed(outcome: GrantOutcome): boolean {
  return outcome === 'new' || outcome === 'mailed_again'
}

function headingFor(count: number, isKept: boolean): string {
  if (count === 0) return 'Nobody has received anything.'
  const verb = count === 1 ? 'is' : 'are'
  return `${countEmails(count)} ${verb} ${isKept ? 'kept' : 'on the way'}.`
}

const reasons: Partial<Record<GrantOutcome, string>> = {
  sold_out: 'it is sold out',
  limited: 'you have sent as many emails as may leave within a day. Send the same list again tomorrow',
  failed: 'something went wrong. Send the same list again: nobody gets it twice',
}

function Missed({ outcomes }: { outcomes: GrantOutcome[] }) {
  return Object.entries(reasons).map(([outcome, reason]) => {
    const count = outcomes.filter((each) => each === outcome).length
    return (
      count > 0 && (
        <p key={outcome} role="alert" className="max-w-prose text-pretty text-danger">
          {formatCount(count)} got nothing: {reason}.
        </p>
      )
    )
  })
}
