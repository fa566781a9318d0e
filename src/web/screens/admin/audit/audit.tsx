// Who did what when at the desk, and with money anywhere, in sentences.
import { ScrollText } from 'lucide-react'
import type { AuditEntry, AuditRequest } from '#contract/audit.ts'
import type { AuditApi } from '#server/api/audit.ts'
import { answerOf, deskClient } from '../../../api.ts'
import { notices } from '../../../copy.ts'
import { formatMoment } from '../../../format.ts'
import { Card } from '../../../ui/card.tsx'
import { Failed, Note } from '../../../ui/note.tsx'
import { Pager } from '../../../ui/pager.tsx'
import { SearchField } from '../../../ui/search-field.tsx'
import { deedDetail } from '../deed-detail.ts'
import { load } from '../load.ts'
import type { Route } from './+types/audit.ts'

const api = deskClient<AuditApi>()

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  const query = Object.fromEntries(new URL(request.url).searchParams) as AuditRequest
  return load(notices.logFailed, () => answerOf(api.audit.$get({ query })))
}

export default function Audit({ loaderData: page }: Route.ComponentProps) {
  return (
    <div className="grid gap-5">
      <SearchField label="Search the log" placeholder="Who, what, to whom..." />
      <Card title="Log">
        {!page && <Failed title="The log could not be loaded" />}
        {page?.items.length === 0 && (
          <Note icon={ScrollText} title="Nothing found">
            Every change that is made at this desk is written down here, for good, and so is all money that goes
            back.
          </Note>
        )}
        {page && page.items.length > 0 && (
          <>
            <ol className="divide-y divide-line">
              {page.items.map((entry) => (
                <Entry key={entry.id} entry={entry} />
              ))}
            </ol>
            <Pager next={page.next} />
          </>
        )}
      </Card>
    </div>
  )
}

function Entry({ entry: { actor, action, subject, detail, ip, created_at } }: { entry: AuditEntry }) {
  const details = deedDetail(detail)
  return (
    <li className="px-5 py-3">
      <p className="break-words">
        <span className="font-semibold">{actor}</span> {deeds[action] ?? action}{' '}
        <span className="font-semibold">{subject}</span>
      </p>
      <p className="text-sm text-soft tabular-nums">
        <time dateTime={created_at}>{formatMoment(created_at)}</time>
        {ip && ` · from ${ip}`}
      </p>
      {details.length > 0 && (
        <details className="mt-1 text-sm">
          <summary className="cursor-pointer rounded-sm text-soft hover:text-ink">Details</summary>
          <dl className="mt-2 grid gap-x-6 gap-y-1 rounded-md bg-ink/5 p-3 sm:grid-cols-[max-content_1fr]">
            {details.map(([name, words]) => (
              <div key={name} className="contents">
                <dt className="text-soft first-letter:uppercase">{name}</dt>
                <dd className="min-w-0 break-words">{words}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </li>
  )
}

/** What is done, between who does it and what it is done to. */
const deeds: Record<string, string> = {
  'users.created': 'made the account of',
  'users.role_granted': 'gave a role to',
  'users.role_revoked': 'took a role from',
  'users.disabled': 'disabled the account of',
  'users.enabled': 'enabled the account of',
  'users.signed_out': 'signed out everywhere',
  'users.verification_sent': 'sent the verification again to',
  'users.exported': 'exported',
  'purchases.exported': 'exported',
  'purchases.receipt_sent': 'sent the receipt again to',
  'purchases.refunded': 'gave money back for',
  'purchases.refund_asked': 'asked for the money back of',
  'shipments.shipped': 'marked as shipped a book for',
  'shipments.unshipped': 'put back among what is to be shipped a book for',
  'shipments.tracking_changed': 'changed the tracking of a parcel to',
  'shipments.address_changed': 'corrected the address of',
  'payments.refunded': 'gave money back, without this desk, for',
  'payments.refund_failed': 'could not give money back for',
  'payments.disputed': 'told of a dispute of',
  'payments.dispute_won': 'returned the disputed money of',
  'payments.checked': 'checked again the payment of',
  'payments.accepted': 'accepted as paid',
  'payments.given_back': 'gave the held money back for',
  'payments.dismissed': 'dismissed the held payment of',
  'payments.event_tried_again': 'looked up again',
  'mails.sent_again': 'sent a mail again to',
  'mails.dismissed': 'dismissed a mail to',
  'events.dismissed': 'dismissed the event',
  'refunds.dismissed': 'dismissed the refused refund of',
  'products.added': 'added the product',
  'products.changed': 'changed the product',
  'products.edition_added': 'uploaded a new edition of',
  'products.ordered': 'changed',
  'products.parts_set': 'changed what is in',
  'products.cover_set': 'set the cover of',
  'products.cover_removed': 'removed the cover of',
  'messages.deleted': 'deleted the message of',
  'messages.restored': 'brought back the message of',
}
