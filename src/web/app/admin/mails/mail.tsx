// The screen of one email.
import type { ReactNode } from 'react'
import { redirect } from 'react-router'
import { mailKinds } from '#contract/mail/mail-kinds.ts'
import type { MailDetail } from '#contract/mail/mails.ts'
import type { MailsApi } from '#domains/mail/mails.routes.ts'
import type { AttentionApi } from '#domains/overview/attention.routes.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { ownDataValuesTexts } from '#words/own-data.ts'
import { responseOf } from '../../../api.ts'
import { Time } from '../../../format/format.tsx'
import { Card, LoadFailed } from '../../card.tsx'
import { adminClient, load, CallButton } from '../calls.tsx'
import { Facts, MailStatusBadge } from '../cells.tsx'
import { BackLink, TextLink } from '../links.tsx'
import { readableAddress } from '../readable-address.ts'
import type { Route } from './+types/mail.ts'

const api = adminClient<MailsApi>().mails[':id']
const attention = adminClient<AttentionApi>().payments.mail[':id']

export function clientLoader({ params }: Route.ClientLoaderArgs) {
  // An older address has the name of the file of an unsent email, which ends with the id.
  const id = params.id.slice(-36)
  if (id !== params.id) throw redirect(`/admin/mails/${id}`)
  return load('Failed to fetch the email', () => responseOf(api.$get({ param: { id } })))
}

export default function MailPage({ loaderData: mail }: Route.ComponentProps) {
  return (
    <div className="grid gap-5">
      <p>
        <BackLink to="/admin/mails">All emails</BackLink>
      </p>
      {mail ? <Letter mail={mail} /> : <LoadFailed title="The email could not be loaded" />}
    </div>
  )
}

const rules: Record<string, string> = mailKinds
const isSentLater = (kind: string) => rules[kind] === 'each' || rules[kind] === 'newest'

/** As in a reader's own data. */
const kindNames: Record<string, string> = ownDataValuesTexts

function Letter({ mail }: { mail: MailDetail }) {
  const { kind, subject, recipient, status, attempts, error, created_at, sent_at, purchase, file } = mail
  return (
    <Card title={subject} action={<MailStatusBadge status={status} />}>
      <Facts
        className="grid-cols-[max-content_1fr] gap-x-5 border-b border-line px-5 py-4"
        facts={[
          ['To', readableAddress(recipient) || 'an erased account'],
          ['From', file?.from],
          ['Reply to', file?.reply_to],
          ['Kind', kindNames[kind] ?? kind],
          ['Written', <Time key="written" at={created_at} />],
          ['Sent', sent_at && <Time key="sent" at={sent_at} />],
          ['Tries', attempts > 1 && String(attempts)],
          ['Server’s answer', error],
          [
            'Order',
            purchase && (
              <TextLink key="order" to={`/admin/purchases/${purchase.id}`}>
                {formatOrderNumber(purchase.number)}
              </TextLink>
            ),
          ],
          [
            'File',
            file && (
              <span key="file" className="break-all">
                {file.path}
              </span>
            ),
          ],
        ]}
      />
      <div className="grid gap-4 px-5 py-5">
        {status === 'waiting' && <About>It is tried again by itself, for three days in all.</About>}
        {status === 'unsent' && !file && (
          <About>Its file is on another machine that the shop runs on, or was deleted after 90 days.</About>
        )}
        {status === 'unsent' && !isSentLater(kind) && (
          <About>
            {rules[kind] === 'expires'
              ? 'It is not sent later, as it was of use at its time only.'
              : 'It is not sent later.'}
            {kind === 'contact' && (
              <>
                {' '}
                The message stands under <TextLink to="/admin/messages">Messages</TextLink>.
              </>
            )}
          </About>
        )}
        <SendAgain mail={mail} />
        <LetterText mail={mail} />
      </div>
    </Card>
  )
}

function LetterText({ mail: { recipient, text, file } }: { mail: MailDetail }) {
  if (text === null)
    return (
      <About>
        {file
          ? 'Its file does not say which links and codes in it sign in, so its text is not shown. It is in the file on the shop’s machine.'
          : 'The text is not saved: of emails that sign in or confirm an address it never is, of others for 90 days.'}
      </About>
    )
  const plain = <pre className="rounded-md bg-ink/5 p-4 text-sm break-words whitespace-pre-wrap">{text}</pre>
  if (!file)
    return (
      <>
        <About>
          The email as plain text. Its links are taken out here: they are for the recipient alone.
        </About>
        {plain}
      </>
    )
  return (
    <>
      {file.hides_links && (
        <About>
          {file.is_own
            ? 'Links that sign in or open something are taken out here: they work from a mailbox only.'
            : `The links are taken out here: they are for ${recipient} alone.`}
        </About>
      )}
      <iframe
        title="The email as it looks"
        src={file.page_url}
        sandbox={file.is_own ? 'allow-popups allow-popups-to-escape-sandbox' : ''}
        className="h-[46rem] w-full rounded-md border border-line"
      />
      <details>
        <summary className="cursor-pointer rounded-sm text-sm text-soft hover:text-ink">Plain text</summary>
        <div className="mt-3">{plain}</div>
      </details>
    </>
  )
}

function About({ children }: { children: ReactNode }) {
  return <p className="text-sm text-pretty text-soft">{children}</p>
}

function SendAgain({ mail: { id, is_repeatable, needs_attention } }: { mail: MailDetail }) {
  if (needs_attention)
    return (
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
        <CallButton
          label="Send again"
          call={() => attention.again.$post({ param: { id } })}
          done={{
            title: 'Retrying',
            description: 'If it fails for good again, it needs your attention again.',
          }}
          failed="Couldn’t send it again"
        />
        <About>
          The shop no longer tries to send it; it is listed under{' '}
          <TextLink to="/admin/payments">Needs attention</TextLink>.
        </About>
      </div>
    )
  if (!is_repeatable) return null
  return (
    <p>
      <CallButton
        label="Send again"
        busyLabel="One moment..."
        question={{ title: 'Send a new one?', action: 'Send again' }}
        call={() => responseOf(api.again.$post({ param: { id } }))}
        done={{ title: 'On its way', description: 'The new email is in the list in a moment.' }}
        failed="Couldn’t send it again"
      >
        The shop writes this email again, with current facts and new links, and sends it to the current
        address.
      </CallButton>
    </p>
  )
}
