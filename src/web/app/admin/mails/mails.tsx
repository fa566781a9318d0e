// The screen that lists emails.
import { mailStatuses, shortestPart, type MailList, type MailListRequest } from '#contract/mail/mails.ts'
import type { MailsApi } from '#domains/mail/mails.routes.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { responseOf } from '../../../api.ts'
import { Time, formatDate } from '../../../format/format.tsx'
import { Mail } from '../../../components/icons.tsx'
import type { Toast } from '../../../notices/toasts.tsx'
import { CallButton, adminClient } from '../calls.tsx'
import { NameLink, TextLink } from '../links.tsx'
import { readableAddress } from '../readable-address.ts'
import { defineList } from '../list-screen.tsx'
import { EmailAddress, mailStatusLooks, MailStatusBadge } from '../cells.tsx'

const api = adminClient<MailsApi>()

const list = defineList({
  title: 'Mail',
  load: (query: MailListRequest) => responseOf(api.mails.$get({ query })),
  failed: 'Failed to fetch the emails',
  notLoaded: 'The emails could not be loaded',
  search: { label: 'Search the emails', placeholder: 'Address, subject or #1042' },
  filters: [
    {
      label: 'State',
      name: 'status',
      all: 'All states',
      options: mailStatuses.map((value) => ({ value, label: mailStatusLooks[value].label })),
    },
  ],
  empty: {
    icon: Mail,
    title: 'No emails yet',
    text: 'What the shop writes to readers and to you is listed here with the mail server’s answer: emails about orders permanently, all others for 90 days. Tests that you have sent to yourself are not listed.',
  },
  emptySearch: {
    title: 'Nothing found',
    text: `The search takes an order number, or at least ${shortestPart} letters of an address or a subject.`,
  },
  about: (page) => (!page.sends_mail || page.sendable) && <UnsentNote page={page} />,
  rowKey: ({ id }) => id,
  columns: [
    { title: 'Email', cell: ({ id, subject }) => <NameLink to={`/admin/mails/${id}`}>{subject}</NameLink> },
    {
      title: 'To',
      cell: ({ recipient }) => (
        <span className="wrap-anywhere">
          <EmailAddress>{readableAddress(recipient) || 'an erased account'}</EmailAddress>
        </span>
      ),
    },
    {
      title: 'Order',
      cell: ({ purchase }) =>
        purchase && (
          <NameLink to={`/admin/purchases/${purchase.id}`}>{formatOrderNumber(purchase.number)}</NameLink>
        ),
    },
    { title: 'Written', isOneLine: true, cell: ({ created_at }) => <Time at={created_at} /> },
    {
      title: 'State',
      cell: ({ status, attempts, error }) => (
        <span className="min-w-0">
          <MailStatusBadge status={status} />
          {attempts > 1 && <span className="block text-soft">after {attempts} tries</span>}
          {error && <span className="block text-soft wrap-anywhere">{error}</span>}
        </span>
      ),
    },
  ],
})

export const clientLoader = list.clientLoader
export default list.Screen

function UnsentNote({ page: { sends_mail, sendable, folder } }: { page: MailList }) {
  return (
    <div className="grid gap-1.5 border-b border-line px-5 py-4 text-sm text-pretty text-soft">
      {sends_mail ? (
        <p>
          <strong className="font-semibold text-ink">Email is set up.</strong> Some emails were written before
          and are <TextLink to="/admin/mails?status=unsent">still unsent</TextLink>.
        </p>
      ) : (
        <p>
          <strong className="font-semibold text-ink">Email is not set up, so nothing is sent yet.</strong>{' '}
          <TextLink to="/admin/mails/settings">Set it up</TextLink>, and from then on emails are sent.
        </p>
      )}
      <p>
        Each unsent email is a file in <span className="break-all">{folder}</span> for 90 days, on the machine
        that wrote it.
      </p>
      {sendable && <SendUnsent sendable={sendable} />}
    </div>
  )
}

function SendUnsent({ sendable: { count, oldest_at } }: { sendable: NonNullable<MailList['sendable']> }) {
  const mails = count === 1 ? 'the unsent email' : `${count} unsent emails`
  return (
    <p className="mt-2">
      <CallButton
        look="primary"
        label={`Send ${mails}`}
        busyLabel="Sending..."
        question={{ title: `Send ${mails}?`, action: count === 1 ? 'Send it' : `Send ${count} emails` }}
        call={() => responseOf(api.mails.send.$post())}
        done={(sent) => unsentMailsSent(sent.count)}
        failed="Couldn’t send"
      >
        <p>
          The oldest was written on {formatDate(oldest_at)}: its recipient may no longer expect it. Each is
          written again with current facts, and sent once.
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

function unsentMailsSent(count: number): Toast {
  if (count === 0) return { title: 'Nothing sent', description: 'There is nothing left to send.' }
  const mails = count === 1 ? 'One email is' : `${count} emails are`
  return { title: 'Emails sent', description: `${mails} on the way.` }
}
