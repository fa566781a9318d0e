import { Link } from 'react-router'
import type { LoggedMailDetail } from '#contract/mail/mails.ts'
import type { KeptMailsApi } from '#domains/mail/mails.routes.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { responseOf } from '../../../api.ts'
import { Time } from '../../../format.tsx'
import { Badge } from '../../../components/badge.tsx'
import { Card } from '../../../components/card.tsx'
import { ArrowLeft } from '../../../components/further-icons.tsx'
import { LoadFailed } from '../../../components/load-failed.tsx'
import { adminClient, load } from '../admin-client.ts'
import { CallButton } from '../call-button.tsx'
import { Facts } from '../frame.tsx'
import { TextLink } from '../links.tsx'
import type { Route } from './+types/logged-mail.ts'
import { mailStates } from './mail-states.ts'

const log = adminClient<KeptMailsApi>()['mail-log'][':id']

export function clientLoader({ params: param }: Route.ClientLoaderArgs) {
  return load('Failed to fetch the email', () => responseOf(log.$get({ param })))
}

export default function LoggedMailPage({ loaderData: mail }: Route.ComponentProps) {
  return (
    <div className="grid gap-5">
      <p>
        <Link
          to="/admin/mail-log"
          className="inline-flex items-center gap-1.5 rounded-sm text-sm text-soft underline-offset-4 hover:text-ink hover:underline"
        >
          <ArrowLeft aria-hidden className="size-4" />
          Mail log
        </Link>
      </p>
      {mail ? <LoggedLetter mail={mail} /> : <LoadFailed title="The email could not be loaded" />}
    </div>
  )
}

function LoggedLetter({ mail }: { mail: LoggedMailDetail }) {
  const { id, subject, recipient, status, attempts, error, created_at, sent_at, purchase, body } = mail
  const { label, look } = mailStates[status]
  return (
    <Card title={subject} action={<Badge look={look}>{label}</Badge>}>
      <Facts
        className="grid-cols-[max-content_1fr] gap-x-5 border-b border-line px-5 py-4"
        facts={[
          ['To', recipient || 'an erased account'],
          ['Written', <Time key="written" at={created_at} />],
          ['The mail server took it', sent_at && <Time key="sent" at={sent_at} />],
          ['Tries', attempts > 1 && String(attempts)],
          ['The mail server said', error],
          [
            'Order',
            purchase && (
              <TextLink key="order" to={`/admin/purchases/${purchase.id}`}>
                {formatOrderNumber(purchase.number)}
              </TextLink>
            ),
          ],
        ]}
      />
      <div className="grid gap-4 px-5 py-5">
        {body === null ? (
          <p className="text-sm text-pretty text-soft">
            The text is not saved: of emails that sign in or confirm an address it never is, of others for 90
            days.
          </p>
        ) : (
          <>
            <p className="text-sm text-soft">
              The email as plain text. Its links are taken out here: they are for the recipient alone.
            </p>
            <pre className="rounded-md bg-ink/5 p-4 text-sm break-words whitespace-pre-wrap">{body}</pre>
          </>
        )}
        {mail.is_repeatable && (
          <p>
            <CallButton
              label="Send again"
              busyLabel="One moment..."
              question={{ title: 'Send a new one?', action: 'Send again' }}
              call={() => responseOf(log.again.$post({ param: { id } }))}
              done={{ title: 'On its way', description: 'The new email stands in the log in a moment.' }}
              failed="Couldn’t send it again"
            >
              The shop writes this email anew, with what is true now and with new links, and sends it to the
              address that belongs to it today.
            </CallButton>
          </p>
        )}
      </div>
    </Card>
  )
}
