import { Link } from 'react-router'
import type { KeptMail } from '#contract/mail/mails.ts'
import type { KeptMailsApi } from '#domains/mail/mails.routes.ts'
import { responseOf } from '../../../api.ts'
import { formatMoment } from '../../../format.tsx'
import { Card } from '../../../components/card.tsx'
import { ArrowLeft } from '../../../components/further-icons.tsx'
import { Failed } from '../../../components/failed.tsx'
import { Facts } from '../frame.tsx'
import { adminClient, load } from '../admin-client.ts'
import type { Route } from './+types/mail.ts'

const api = adminClient<KeptMailsApi>()

export function clientLoader({ params }: Route.ClientLoaderArgs) {
  return load('Failed to fetch the emails', () => responseOf(api.mails[':name'].$get({ param: params })))
}

export default function MailPage({ loaderData: mail }: Route.ComponentProps) {
  return (
    <div className="grid gap-5">
      <p>
        <Link
          to="/admin/mails"
          className="inline-flex items-center gap-1.5 rounded-sm text-sm text-soft underline-offset-4 hover:text-ink hover:underline"
        >
          <ArrowLeft aria-hidden className="size-4" />
          All emails
        </Link>
      </p>
      {mail ? <Letter mail={mail} /> : <Failed title="The email could not be loaded" />}
    </div>
  )
}

function Letter({ mail }: { mail: KeptMail }) {
  return (
    <Card title={mail.subject}>
      <Facts
        className="grid-cols-[max-content_1fr] gap-x-5 border-b border-line px-5 py-4"
        facts={[
          ['To', mail.to],
          ['From', mail.from],
          ['Reply to', mail.reply_to],
          ['Kind', mail.kind?.replaceAll('_', ' ')],
          ['Written', formatMoment(mail.kept_at)],
          ['Sent', mail.is_sent && 'since, written anew'],
        ]}
      />
      <div className="grid gap-4 px-5 py-4">
        <LinksNote mail={mail} />
        {mail.text !== null && (
          <>
            <PageFrame mail={mail} />
            <details>
              <summary className="cursor-pointer rounded-sm text-sm text-soft hover:text-ink">
                Plain text
              </summary>
              <pre className="mt-3 rounded-md bg-ink/5 p-4 text-sm break-words whitespace-pre-wrap">
                {mail.text}
              </pre>
            </details>
          </>
        )}
      </div>
    </Card>
  )
}

function LinksNote({ mail }: { mail: KeptMail }) {
  return mail.hides_links && <p className="text-sm text-soft">{linksNote(mail)}</p>
}

function linksNote({ name, to, is_own, text }: KeptMail): string {
  if (text === null)
    return `An earlier version has written this email, so its text is not shown: it may have a link or a code that signs in. It is in the file ${name}.eml on the shop’s machine.`
  return is_own
    ? 'Links that sign in or open something are taken out here: they work from a mailbox only.'
    : `The links are taken out here: they are for ${to} alone.`
}

function PageFrame({ mail: { page_url, is_own } }: { mail: KeptMail }) {
  return (
    <iframe
      title="The email as it looks"
      src={page_url}
      sandbox={is_own ? 'allow-popups allow-popups-to-escape-sandbox' : ''}
      className="h-[46rem] w-full rounded-md border border-line"
    />
  )
}
