// The screen on which the owners of an edition are notified of it.
import { useState } from 'react'
import type { Announcement } from '#contract/delivery/editions.ts'
import type { AnnouncementsApi } from '#domains/delivery/editions.routes.ts'
import { responseOf } from '../../../api.ts'
import { formatCount, Time } from '../../../format/format.tsx'
import { useUnsavedChanges } from '../../../forms/unsaved-changes.ts'
import { closeNoticesTo } from '../../../notices/toasts.tsx'
import { Callout } from '../../../components/note.tsx'
import { Card, LoadFailed } from '../../card.tsx'
import { TextField } from '../../../components/field.tsx'
import { adminClient, load, useRefresh, CallButton } from '../calls.tsx'
import { Fact } from '../cells.tsx'
import { LoadedEmailPreview } from '../email-preview.tsx'
import { TextLink } from '../links.tsx'
import type { Route } from './+types/announcement.ts'

const { announcement } = adminClient<AnnouncementsApi>().editions[':id']
const refreshMs = 3_000

export function clientLoader({ params: param }: Route.ClientLoaderArgs) {
  return load('Failed to load the edition', () => responseOf(announcement.$get({ param })))
}

export default function AnnouncementPage({ loaderData: found, params }: Route.ComponentProps) {
  useRefresh(found?.state === 'under_way' && !found.is_mail_unsent, refreshMs)
  if (!found) return <LoadFailed title="The edition could not be loaded" />
  const { product, file_format, edition, state, is_newest } = found
  const isOutdated = state === 'none' && !is_newest
  const State = state === 'none' ? Begin : Progress
  return (
    <div className="grid max-w-3xl gap-6">
      <p className="text-sm">
        <TextLink to={`/admin/products/${product.id}`}>{product.name}</TextLink>
      </p>
      <Card title={`${file_format.toUpperCase()}, edition ${edition}: tell its owners`}>
        {isOutdated ? (
          <p className="p-5 text-soft">A newer file of this format has replaced this edition.</p>
        ) : (
          <>
            <MailNote found={found} />
            <State found={found} id={params.id} />
          </>
        )}
      </Card>
    </div>
  )
}

function MailNote({ found: { state, is_mail_unsent } }: { found: Announcement }) {
  if (!is_mail_unsent || state === 'done') return null
  return (
    <p className="px-5 pt-5">
      <Callout>
        No mail server is set up, so nothing can be sent yet.{' '}
        {state === 'none' ? 'You may begin all the same: the emails wait for it.' : 'The emails wait for it.'}{' '}
        <TextLink to="/admin/mails/settings">Set up mail</TextLink>
      </Callout>
    </p>
  )
}

type Props = { found: Announcement; id: string }

const emails = (count: number) => (count === 1 ? '1 email' : `${formatCount(count)} emails`)

function Begin({ found, id }: Props) {
  const { owners, per_hour } = found
  const [changes, setChanges] = useState(found.changes)
  const { markChanged, markSaved } = useUnsavedChanges()
  if (owners === 0)
    return (
      <p className="p-5 text-pretty text-soft">
        There is nobody to email: no buyer from before this edition gets emails about new ones.
      </p>
    )
  return (
    <div className="grid gap-5 p-5">
      <p className="text-pretty">
        {describeReaders(found)} Each gets one email, at most {formatCount(per_hour)} an hour leave, and
        receipts always go first. <TextLink to="/admin/mails/settings">Change the limit</TextLink>
      </p>
      <TextField
        label="What changed (optional)"
        hint="In the email as you type it here, and beside the edition on the readers’ page."
        required={false}
        rows={4}
        maxLength={1000}
        value={changes}
        onChange={({ target }) => {
          setChanges(target.value)
          markChanged()
        }}
      />
      <p className="text-sm text-pretty text-soft">
        The email names the newest file of each format: if you bring out several at once, upload them all and
        tell the owners of one.
      </p>
      <Previews found={found} id={id} changes={changes} />
      <p>
        <CallButton
          look="primary"
          label="Tell its owners"
          busyLabel="One moment..."
          question={{ title: `Send ${emails(owners)}?`, action: `Send ${emails(owners)}` }}
          call={async () => {
            const begun = await responseOf(announcement.$put({ param: { id }, json: { changes } }))
            markSaved()
            closeNoticesTo(`/admin/products/editions/${id}`)
            return begun
          }}
          done={{
            title: 'Emails on their way',
            description: 'You may leave this page: the shop goes on by itself.',
          }}
          failed="Couldn’t begin"
        >
          Emails that were sent cannot be recalled. You can stop the rest at any time.
        </CallButton>
      </p>
    </div>
  )
}

const readers = (count: number) => (count === 1 ? 'One reader' : `${formatCount(count)} readers`)

/** Returns "3 readers bought Paradise before this edition, and 19 readers got a copy free of charge." */
function describeReaders({ owners, buyers, product: { name } }: Announcement): string {
  const freeCount = owners - buyers
  if (buyers === 0) return `${readers(freeCount)} got a copy of ${name} free of charge before this edition.`
  const bought = `${readers(buyers)} bought ${name} before this edition`
  return freeCount === 0
    ? `${bought}.`
    : `${bought}, and ${readers(freeCount).toLowerCase()} got a copy free of charge.`
}

type PreviewsProps = Props & { changes: string }

/** Who has paid and who has not get different words. */
function Previews({ found: { owners, buyers, is_mail_unsent }, id, changes }: PreviewsProps) {
  const freeCount = owners - buyers
  const preview = (is_buyer: boolean, label: string) => (
    <LoadedEmailPreview
      label={label}
      content={changes}
      sendsMail={!is_mail_unsent}
      load={() => responseOf(announcement.preview.$post({ param: { id }, json: { changes, is_buyer } }))}
    />
  )
  if (buyers === 0 || freeCount === 0) return preview(freeCount === 0, 'Preview the email')
  return (
    <>
      {preview(true, 'Preview the email to buyers')}
      {preview(false, 'Preview the email to those who got a copy')}
    </>
  )
}

const stateWords = { none: '', under_way: 'Being sent', paused: 'Stopped', done: 'Finished' } as const

function Progress({ found, id }: Props) {
  const { state, counts, owners, announced_at, per_hour } = found
  const finished = counts.sent + counts.skipped + counts.failed
  return (
    <div className="grid gap-5 p-5">
      <p>
        <strong className="font-semibold">{stateWords[state]}.</strong>{' '}
        {announced_at && (
          <span className="text-soft">
            Begun <Time at={announced_at} />
          </span>
        )}
      </p>
      <div className="grid gap-1.5">
        <progress className="h-2 w-full accent-ink" max={owners} value={finished} aria-label="Emails sent" />
        <p className="text-sm text-soft tabular-nums">
          {formatCount(finished)} of {formatCount(owners)}
        </p>
      </div>
      <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4 [&_dt]:text-sm [&_dt]:text-soft">
        <Fact name="The mail server took">{formatCount(counts.sent)}</Fact>
        <Fact name="Waiting">{formatCount(counts.waiting + counts.under_way)}</Fact>
        <Fact name="No longer wanted">{formatCount(counts.skipped)}</Fact>
        <Fact name="Refused">{formatCount(counts.failed)}</Fact>
      </dl>
      {counts.failed > 0 && (
        <p className="text-sm">
          <TextLink to="/admin/mails?status=failed">See why under Mail</TextLink>
        </p>
      )}
      {state === 'under_way' && counts.waiting > 0 && (
        <p className="text-sm text-pretty text-soft">
          At most {formatCount(per_hour)} leave in an hour, so this takes{' '}
          {durationOf(counts.waiting, per_hour)}.
        </p>
      )}
      {(state === 'under_way' || state === 'paused') && counts.waiting > 0 && (
        <PauseButton id={id} state={state} />
      )}
    </div>
  )
}

function durationOf(count: number, perHour: number): string {
  const hours = count / perHour
  if (hours < 1) return `about ${Math.max(1, Math.round(hours * 60))} more minutes`
  return hours < 48 ? `about ${Math.ceil(hours)} more hours` : `about ${Math.ceil(hours / 24)} more days`
}

function PauseButton({ id, state }: { id: string; state: 'under_way' | 'paused' }) {
  const isPaused = state === 'paused'
  return (
    <p>
      <CallButton
        label={isPaused ? 'Go on' : 'Stop the rest'}
        busyLabel="One moment..."
        call={() => responseOf(announcement.paused.$put({ param: { id }, json: { is_paused: !isPaused } }))}
        done={{ title: isPaused ? 'Going on' : 'Stopped' }}
        failed={isPaused ? 'Couldn’t go on' : 'Couldn’t stop'}
      />
    </p>
  )
}
