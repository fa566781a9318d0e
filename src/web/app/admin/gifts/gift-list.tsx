// The lists of gifts: who gets one, and those that were sent.
import type { GrantsApi } from '#domains/delivery/grants.routes.ts'
import {
  maxListedGrants,
  type Grant,
  type GrantCheck,
  type GrantOutcome,
  type GrantsSent,
} from '#contract/delivery/gifts.ts'
import { Badge, Note, Callout } from '../../../components/note.tsx'
import { Card } from '../../card.tsx'
import { Gift as GiftIcon } from '../../../components/icons.tsx'
import { formatMoment, formatCount } from '../../../format/format.tsx'
import { adminClient, CallButton } from '../calls.tsx'
import { NameLink, TextLink } from '../links.tsx'
import { EmailAddress } from '../cells.tsx'
import { readableAddress } from '../readable-address.ts'
import { useId, useState, useEffect, useRef } from 'react'
import { toast } from '../../../notices/toasts.tsx'
import { buttonClass, Button } from '../../../components/button.tsx'
import { Confirm } from '../../../components/dialog.tsx'

const api = adminClient<GrantsApi>()

export function GiftList({ gifts }: { gifts: readonly Grant[] }) {
  return (
    <Card title="Given so far">
      {gifts.length === 0 && (
        <Note icon={GiftIcon} title="Nothing given yet">
          Copies for reviewers, early readers and friends appear here.
        </Note>
      )}
      <ul className="divide-y divide-line">
        {gifts.map((gift) => (
          <GiftRow key={gift.id} gift={gift} />
        ))}
      </ul>
      {gifts.length === maxListedGrants && (
        <p className="border-t border-line px-5 py-3 text-sm text-soft">
          The newest {maxListedGrants} are shown. The <TextLink to="/admin/audit">log</TextLink> has all of
          them.
        </p>
      )}
    </Card>
  )
}

function GiftRow({ gift }: { gift: Grant }) {
  const { email, product_name, purchase_id, created_at, opened_at } = gift
  const address = readableAddress(email) || 'Erased account'
  const shown = <EmailAddress>{address}</EmailAddress>
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-5 py-3 text-sm">
      <span className="min-w-0 grow basis-52 font-semibold wrap-anywhere">
        {purchase_id ? <NameLink to={`/admin/purchases/${purchase_id}`}>{shown}</NameLink> : shown}
      </span>
      <span className="min-w-0 grow basis-52 wrap-anywhere text-soft">{product_name}</span>
      <span className="text-soft tabular-nums">{formatMoment(created_at)}</span>
      <span className="basis-full text-soft tabular-nums sm:basis-44">
        {opened_at ? `Opened ${formatMoment(opened_at)}` : 'Not opened yet'}
      </span>
      {!opened_at && <TakeBack gift={gift} address={address} />}
    </li>
  )
}

function TakeBack({ gift: { id, product_name, format }, address }: { gift: Grant; address: string }) {
  return (
    <CallButton
      label="Take back"
      busyLabel="One moment..."
      name={`Take back from ${address}`}
      question={{ title: 'Take the copy back?', action: 'Take it back', isDanger: true }}
      call={() => api.gifts[':id'].$delete({ param: { id } })}
      done={{ title: 'Copy taken back', description: 'It can be given to somebody else.' }}
      failed="Couldn’t take it back"
    >
      {address} does not get {product_name} any more, and the link in the email opens nothing.
      {format !== 'digital' && <span> A printed copy whose stock is counted is in stock again.</span>}
    </CallButton>
  )
}

export type OutcomeLabels = Record<GrantOutcome, string>

export const notMailedLabels = {
  given_before: 'got it before',
  has_it: 'has it already',
  sold_out: 'sold out',
  limited: 'too many today',
  failed: 'failed',
} as const

type ListedRecipients = { recipients: GrantCheck['recipients']; labels: OutcomeLabels }

const firstShown = 20

export function Recipients({ recipients, labels }: ListedRecipients) {
  const id = useId()
  const rest = recipients.slice(firstShown)
  return (
    <section aria-labelledby={id} className="min-w-0">
      <p id={id} className="font-semibold">
        Recipients
      </p>
      {recipients.length === 0 && <p className="mt-2 text-sm text-soft">There is no address in the list.</p>}
      <List recipients={recipients.slice(0, firstShown)} labels={labels} />
      {rest.length > 0 && (
        <details className="mt-2">
          <summary className="cursor-pointer rounded-sm text-sm">And {formatCount(rest.length)} more</summary>
          <List recipients={rest} labels={labels} />
        </details>
      )}
    </section>
  )
}

function List({ recipients, labels }: ListedRecipients) {
  return (
    <ul className="mt-2 divide-y divide-line rounded-md border border-line empty:hidden">
      {recipients.map(({ email, name, outcome }) => (
        <li
          key={email}
          className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 px-4 py-2 text-sm"
        >
          <span className="min-w-0 wrap-anywhere">
            {readableAddress(email)}
            {name && <span className="text-soft"> · {name}</span>}
          </span>
          <Badge look={looks[outcome]}>{labels[outcome]}</Badge>
        </li>
      ))}
    </ul>
  )
}

const looks = {
  new: 'highlighted',
  mailed_again: 'highlighted',
  given_before: 'plain',
  has_it: 'plain',
  sold_out: 'danger',
  limited: 'danger',
  failed: 'danger',
} as const satisfies Record<GrantOutcome, string>

export function BadRows({ rows }: { rows: GrantCheck['bad_rows'] }) {
  if (rows.length === 0) return null
  return (
    <Callout role="region" aria-label="Left out">
      <p className="font-semibold">
        {rows.length === 1 ? '1 entry is left out' : `${formatCount(rows.length)} entries are left out`}
      </p>
      <ul className="mt-1">
        {rows.map(({ line, text, reason }) => (
          <li key={`${line} ${text}`} className="wrap-anywhere">
            Line {line}: {reason} <span className="text-soft">{text}</span>
          </li>
        ))}
      </ul>
    </Callout>
  )
}

export const countEmails = (count: number) => (count === 1 ? '1 email' : `${formatCount(count)} emails`)

/** Excel writes CSV in the system's own encoding, which in most of the West is Windows-1252, and "Unicode text" as UTF-16. */
export function readListText(bytes: Uint8Array): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe
  if (isUtf16) return new TextDecoder('utf-16le').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Bytes; a list of 500 addresses is smaller. */
const largest = 200_000

type ListFileProps = {
  isReplacing: boolean
  onText: (text: string) => void
}

export function ListFile({ isReplacing, onText }: ListFileProps) {
  const id = useId()
  const [waiting, setWaiting] = useState<string>()
  async function read(file: File) {
    if (file.size > largest) return toast(tooLarge)
    const text = readListText(new Uint8Array(await file.arrayBuffer()))
    if (isReplacing) setWaiting(text)
    else onText(text)
  }
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <input
        id={id}
        type="file"
        accept=".csv,.tsv,.txt,text/csv,text/plain"
        className="peer sr-only"
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file) void read(file)
          // The same one may be chosen again.
          target.value = ''
        }}
      />
      <label
        htmlFor={id}
        className={buttonClass(
          'outline',
          'peer-focus-visible:outline-2 peer-focus-visible:outline-offset-3 peer-focus-visible:outline-focus',
        )}
      >
        Take the list from a CSV file
      </label>
      <span className="text-sm text-soft">As a spreadsheet saves it.</span>
      {waiting !== undefined && (
        <Confirm
          title="Replace the list?"
          action="Replace it"
          onClose={() => setWaiting(undefined)}
          onConfirm={() => {
            onText(waiting)
            setWaiting(undefined)
          }}
        >
          The file replaces what is under “To”.
        </Confirm>
      )}
    </div>
  )
}

const tooLarge = {
  title: 'File too large',
  description: 'A list has 500 addresses at most. Please split the file.',
  destructive: true,
}

type SentGiftsProps = {
  sent: GrantsSent
  onBack: (() => void) | undefined
  onDone: () => void
}

export function SentGifts({ sent, onBack, onDone }: SentGiftsProps) {
  const heading = useRef<HTMLParagraphElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const { recipients, bad_rows, is_mail_unsent } = sent
  const missed = recipients.filter(({ outcome }) => !isMailed(outcome))
  const count = recipients.length - missed.length
  const mailedLabel = is_mail_unsent ? 'kept' : 'on its way'
  const labels: OutcomeLabels = { ...notMailedLabels, new: mailedLabel, mailed_again: mailedLabel }
  return (
    <Card title={missed.length === 0 ? 'Given' : 'Given, but not to everybody'} contentClass="grid gap-6 p-5">
      <div className="grid gap-2.5">
        <p ref={heading} tabIndex={-1} className="font-semibold">
          {headingFor(count, is_mail_unsent)}
        </p>
        {is_mail_unsent && count > 0 && (
          <p className="max-w-prose text-sm text-pretty text-soft">
            The shop does not send email yet, so nobody has heard of it.{' '}
            <TextLink to="/admin/mails/settings">Set up email</TextLink>, then send them from{' '}
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

function headingFor(count: number, isUnsent: boolean): string {
  if (count === 0) return 'Nobody has received anything.'
  const verb = count === 1 ? 'is' : 'are'
  return `${countEmails(count)} ${verb} ${isUnsent ? 'kept' : 'on the way'}.`
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
