import { Link } from 'react-router'
import type { KeptMails, KeptMailsRequest, KeptMailSummary } from '#contract/mail/mails.ts'
import type { KeptMailsApi } from '#domains/mail/mails.routes.ts'
import { TextLink } from '../links.tsx'
import { Time, formatDate } from '../../../format.tsx'
import { responseOf } from '../../../api.ts'
import { Badge } from '../../../components/badge.tsx'
import { Mail } from '../../../components/icons.tsx'
import { Note } from '../../../components/note.tsx'
import type { Toast } from '../../../toasts.tsx'
import { CallButton } from '../call-button.tsx'
import { adminClient, loadPage } from '../admin-client.ts'
import { ListCard } from '../frame.tsx'
import type { Route } from './+types/mails.ts'

const api = adminClient<KeptMailsApi>()

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  return loadPage('Failed to fetch the emails', request, (query: KeptMailsRequest) =>
    api.mails.$get({ query }),
  )
}

export default function Mails({ loaderData: page }: Route.ComponentProps) {
  return (
    <ListCard
      title="Emails"
      about={page && <MailStatusNote page={page} />}
      page={page}
      failed="The emails could not be loaded"
      empty={
        <Note icon={Mail} title="No emails here">
          {page?.is_kept
            ? 'Receipts, confirmations and every other mail that the shop writes will appear here.'
            : 'Every email was sent.'}
        </Note>
      }
    >
      {(mail) => <MailRow key={mail.name} mail={mail} />}
    </ListCard>
  )
}

function MailStatusNote({ page: { is_kept, sendable, folder, may_be_elsewhere } }: { page: KeptMails }) {
  return (
    <div className="grid gap-1.5 border-b border-line px-5 py-4 text-sm text-pretty text-soft">
      {is_kept ? (
        <p>
          <strong className="font-semibold text-ink">Email is not set up, so none of these was sent.</strong>{' '}
          <TextLink to="/admin/settings/mail">Set it up</TextLink>, and from then on emails are sent.
        </p>
      ) : (
        <p>
          Email is set up. These were written before, and were <strong>not sent</strong> then. A receipt can
          be sent again on the page of its purchase.
        </p>
      )}
      <p>
        They are files in <span className="break-all">{folder}</span>, and are deleted after 90 days.
        {may_be_elsewhere && (
          <span>
            {
              ' If the shop runs on several machines, each keeps the emails that it has written: you see those of one.'
            }
          </span>
        )}
      </p>
      {sendable && <SendKept sendable={sendable} />}
    </div>
  )
}

function MailRow({ mail: { name, to, subject, kind, kept_at, is_sent } }: { mail: KeptMailSummary }) {
  return (
    <li>
      <Link
        to={`/admin/mails/${name}`}
        className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 px-5 py-3 -outline-offset-4 hover:bg-ink/3"
      >
        <span className="min-w-0 break-words">
          <span className="mr-2 font-semibold">{subject}</span>{' '}
          {kind && <Badge>{kind.replaceAll('_', ' ')}</Badge>}{' '}
          {is_sent && <Badge look="highlighted">sent since</Badge>}
        </span>
        <span className="min-w-0 text-sm break-words text-soft tabular-nums">
          {to} · <Time at={kept_at} className="whitespace-nowrap" />
        </span>
      </Link>
    </li>
  )
}

function SendKept({ sendable: { count, oldest_at } }: { sendable: NonNullable<KeptMails['sendable']> }) {
  const mails = count === 1 ? 'the kept mail' : `${count} kept emails`
  return (
    <p className="mt-2">
      <CallButton
        look="primary"
        label={`Send ${mails}`}
        busyLabel="Sending..."
        question={{ title: `Send ${mails}?`, action: count === 1 ? 'Send it' : `Send ${count} emails` }}
        call={() => responseOf(api.mails.send.$post())}
        done={(sent) => keptMailsSent(sent.count)}
        failed="Couldn’t send"
      >
        <p>
          The oldest was written on {formatDate(oldest_at)}: its reader may not expect it any more. Each is
          written anew, as things stand now, and goes out once.
        </p>
        <p className="mt-3">
          These are receipts, gifts, and notices of parcels and refunds. Of several receipts for one order
          only the last is sent. Emails with a link to sign in or to confirm an address are left out: those
          links have expired.
        </p>
      </CallButton>
    </p>
  )
}

function keptMailsSent(count: number): Toast {
  if (count === 0) return { title: 'Nothing sent', description: 'There is nothing left to send.' }
  const mails = count === 1 ? 'One email is' : `${count} emails are`
  return { title: 'Emails sent', description: `${mails} on the way.` }
}
