// The mail and the list as they were checked: nothing is sent before the author has seen both.
import { useEffect, useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import type { GiftCheck, GiftOutcome, GiftRequest, GiftsSent } from '#features/gifts/contract/gifts.ts'
import type { GiftsApi } from '#features/gifts/admin-routes.ts'
import { adminClient, responseOf } from '../../../api.ts'
import { failure } from '../../../copy.ts'
import { formatCount } from '../../../format.ts'
import { toast } from '../../../toasts.tsx'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'

const api = adminClient<GiftsApi>()

type CheckedGiftsProps = {
  request: GiftRequest
  check: GiftCheck
  onBack: () => void
  onSent: () => void
}

export function CheckedGifts({ request, check, onBack, onSent }: CheckedGiftsProps) {
  const { revalidate } = useRevalidator()
  const heading = useRef<HTMLParagraphElement>(null)
  const [isBusy, setIsBusy] = useState(false)
  useEffect(() => heading.current?.focus(), [])
  const count = check.recipients.filter(({ outcome }) => outcome === 'new').length

  async function send() {
    setIsBusy(true)
    try {
      toast(sentNotice(await responseOf(api.gifts.$post({ json: request }))))
      onSent()
      await revalidate()
    } catch (error) {
      toast(failure('Not Sent', error))
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <Card title="Before it is sent">
      <div className="grid gap-6 p-5">
        <p ref={heading} tabIndex={-1} className="font-semibold">
          {count === 0 ? 'Nobody on this list gets anything.' : `${emails(count)} will be sent.`}
        </p>
        <BadRows rows={check.bad_rows} />
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <Mail {...check.mail} />
          <Recipients recipients={check.recipients} />
        </div>
        <p className="flex flex-wrap gap-3">
          <Button disabled={isBusy || count === 0} onClick={() => void send()}>
            {isBusy ? 'Sending...' : `Send ${emails(count)}`}
          </Button>
          <Button look="outline" disabled={isBusy} onClick={onBack}>
            Change something
          </Button>
        </p>
      </div>
    </Card>
  )
}

const emails = (count: number) => (count === 1 ? '1 email' : `${formatCount(count)} emails`)

function Mail({ subject, text }: GiftCheck['mail']) {
  return (
    <section aria-label="The mail, as plain text" className="min-w-0">
      <p className="font-semibold wrap-anywhere">{subject}</p>
      <pre className="mt-2 rounded-md bg-ink/5 p-4 text-sm break-words whitespace-pre-wrap">{text}</pre>
    </section>
  )
}

const outcomeLabels: Record<GiftOutcome, string> = {
  new: 'gets it',
  given_before: 'got it before',
  has_it: 'has it already',
  sold_out: 'sold out',
}

const firstShown = 20

function Recipients({ recipients }: Pick<GiftCheck, 'recipients'>) {
  const rest = recipients.slice(firstShown)
  return (
    <section aria-label="Recipients" className="min-w-0">
      <p className="font-semibold">Recipients</p>
      {recipients.length === 0 && <p className="mt-2 text-sm text-soft">There is no address in the list.</p>}
      <List recipients={recipients.slice(0, firstShown)} />
      {rest.length > 0 && (
        <details className="mt-2">
          <summary className="cursor-pointer rounded-sm text-sm">And {formatCount(rest.length)} more</summary>
          <List recipients={rest} />
        </details>
      )}
    </section>
  )
}

function List({ recipients }: Pick<GiftCheck, 'recipients'>) {
  return (
    <ul className="mt-2 divide-y divide-line rounded-md border border-line empty:hidden">
      {recipients.map(({ email, name, outcome }) => (
        <li
          key={email}
          className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 px-4 py-2 text-sm"
        >
          <span className="min-w-0 wrap-anywhere">
            {email}
            {name && <span className="text-soft"> · {name}</span>}
          </span>
          <Badge look={outcome === 'new' ? 'highlighted' : 'plain'}>{outcomeLabels[outcome]}</Badge>
        </li>
      ))}
    </ul>
  )
}

function BadRows({ rows }: { rows: GiftCheck['bad_rows'] }) {
  if (rows.length === 0) return null
  return (
    <section aria-label="Left out" className="rounded-md border border-gold/60 bg-gold/10 px-4 py-3 text-sm">
      <p className="font-semibold">
        {rows.length === 1 ? '1 line is left out' : `${formatCount(rows.length)} lines are left out`}
      </p>
      <ul className="mt-1">
        {rows.map(({ line, text, reason }) => (
          <li key={line} className="wrap-anywhere">
            Line {line}: {reason} <span className="text-soft">{text}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What happened may differ from what was checked: another admin may have been faster, or the last copy gone. */
function sentNotice({ recipients }: GiftsSent) {
  const count = recipients.filter(({ outcome }) => outcome === 'new').length
  const soldOut = recipients.filter(({ outcome }) => outcome === 'sold_out').length
  const missed = soldOut > 0 ? ` ${formatCount(soldOut)} got none: it is sold out.` : ''
  return {
    title: count === 0 ? 'Nothing Sent' : 'On Its Way',
    description: `${emails(count)} ${count === 1 ? 'is' : 'are'} on the way.${missed}`,
  }
}
