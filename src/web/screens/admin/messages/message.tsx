import { useNavigate } from 'react-router'
import type { MessageDetail, Reply } from '#contract/readers/messages.ts'
import type { MessagesApi } from '#domains/readers/messages.routes.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { responseOf } from '../../../api.ts'
import { StatusBadge } from '../../../status-badge.tsx'
import { Time } from '../../../time.tsx'
import { toast } from '../../../toasts.tsx'
import { Button } from '../../../components/button.tsx'
import { Callout } from '../../../components/callout.tsx'
import { Card } from '../../../components/card.tsx'
import { LoadFailed } from '../../../components/load-failed.tsx'
import { adminClient, load } from '../admin-client.ts'
import { CallButton } from '../call-button.tsx'
import { Trash } from '../icons.tsx'
import { NeighborLinks } from '../neighbor-links.tsx'
import { NameLink, TextLink } from '../text-link.tsx'
import { useAdminCall } from '../use-admin-call.ts'
import type { Route } from './+types/message.ts'
import { StateBadge } from './messages.tsx'
import { ReplyForm } from './reply-form.tsx'
import { readableAddress } from '../readable-address.ts'

const api = adminClient<MessagesApi>()

export function clientLoader({ params: param }: Route.ClientLoaderArgs) {
  return load('Failed to fetch the message', async () => {
    const [message, snippets] = await Promise.all([
      responseOf(api.messages[':id'].$get({ param })),
      responseOf(api.snippets.$get()),
    ])
    if (!message.is_read) await responseOf(api.messages[':id'].$patch({ param, json: { is_read: true } }))
    return { message, snippets: snippets.items }
  })
}

export default function MessagePage({ loaderData }: Route.ComponentProps) {
  return (
    <div className="grid gap-5">
      <NeighborLinks label="Messages" path="/admin/messages" neighbors={loaderData?.message.neighbors} />
      {loaderData ? (
        <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_19rem]">
          <Thread {...loaderData} />
          <Writer message={loaderData.message} />
        </div>
      ) : (
        <LoadFailed title="The message could not be loaded" />
      )}
    </div>
  )
}

function Thread({ message, snippets }: Route.ComponentProps['loaderData'] & object) {
  const { id, name, email, subject, message: text, created_at, state, replies, sends_mail } = message
  return (
    <Card title={subject} action={<StateBadge state={state} />}>
      <article className="grid gap-2 px-5 py-5">
        <p className="text-sm break-words text-soft">
          <span className="font-semibold text-ink">{name}</span> · {readableAddress(email)} ·{' '}
          <Time at={created_at} />
        </p>
        <p className="max-w-2xl break-words whitespace-pre-line">{text}</p>
      </article>
      {replies.map((reply) => (
        <ReplyText key={reply.id} reply={reply} sendsMail={sends_mail} />
      ))}
      <div className="grid gap-5 border-t border-line px-5 py-5">
        {!sends_mail && (
          <Callout>
            Email is not set up, so a reply is saved and not sent.{' '}
            <TextLink to="/admin/settings/mail">Set it up</TextLink>, or{' '}
            <a href={mailTo(message)} className="rounded-sm underline underline-offset-4">
              reply from your own mailbox
            </a>
            .
          </Callout>
        )}
        <ReplyForm key={id} message={message} snippets={snippets} />
        <Actions message={message} />
      </div>
    </Card>
  )
}

const outcomes: Record<NonNullable<Reply['mail']>, string> = {
  waiting: 'on its way to the mail server',
  sent: 'the mail server took it',
  kept: 'not sent, because email is not set up',
  failed: 'not sent',
}

type ReplyTextProps = { reply: Reply; sendsMail: boolean }

function ReplyText({ reply: { body, created_at, mail: state, error }, sendsMail }: ReplyTextProps) {
  const mail = state === 'waiting' && !sendsMail ? 'kept' : state
  return (
    <article className="grid gap-2 border-t border-line bg-ink/3 px-5 py-5">
      <p className="text-sm break-words text-soft">
        <span className="font-semibold text-ink">Your reply</span> · <Time at={created_at} />
        {mail && (
          <span className={mail === 'failed' ? 'text-danger' : ''}>
            {` · ${outcomes[mail]}${error ? `: ${error}` : ''}`}
          </span>
        )}
      </p>
      <p className="max-w-2xl break-words whitespace-pre-line">{body}</p>
    </article>
  )
}

function Actions({ message: { id, state } }: { message: MessageDetail }) {
  const navigate = useNavigate()
  const [isBusy, run] = useAdminCall()
  const param = { id }
  const isDone = state === 'done'
  const failed = 'Couldn’t save the change'
  function restore() {
    void run(() => api.messages[':id'].restore.$post({ param }), { failed })
  }
  /** Before the message is loaded again, which marks it as read. */
  async function leave(call: () => Promise<unknown>) {
    const { isSaved } = await run(
      async () => {
        const response = await call()
        await navigate('/admin/messages')
        return response
      },
      { failed },
    )
    return isSaved
  }
  async function remove() {
    const isSaved = await leave(() => api.messages[':id'].$delete({ param }))
    if (isSaved) toast({ title: 'Message Deleted', action: { label: 'Undo', onPress: restore } })
  }
  return (
    <p className="flex flex-wrap gap-2">
      <CallButton
        label={isDone ? 'Reopen' : 'Mark as done'}
        call={() => api.messages[':id'].$patch({ param, json: { is_done: !isDone } })}
        failed={failed}
      />
      <Button
        look="outline"
        disabled={isBusy}
        onClick={() => void leave(() => api.messages[':id'].$patch({ param, json: { is_read: false } }))}
      >
        Mark as unread
      </Button>
      <Button look="quiet" disabled={isBusy} onClick={() => void remove()}>
        <Trash aria-hidden className="size-4.5" />
        Delete
      </Button>
    </p>
  )
}

function Writer({ message: { email, user, orders, similar_orders, others } }: { message: MessageDetail }) {
  return (
    <aside aria-label="The writer" className="grid gap-5">
      <Card title="Reader">
        <p className="px-5 py-4 text-sm break-words">
          {user ? (
            <NameLink to={`/admin/users/${user.user_id}`}>
              {user.display_name ?? readableAddress(email)}
            </NameLink>
          ) : (
            <span className="text-soft">Nobody has an account with this address.</span>
          )}
        </p>
        {user && orders.length === 0 && (
          <p className="border-t border-line px-5 py-4 text-sm text-soft">No purchase</p>
        )}
        <OrderRows orders={orders} />
        {(user || similar_orders.length > 0) && (
          <p className="border-t border-line px-5 py-4 text-sm text-pretty text-soft">
            The form does not check whose address this is. Before you tell what is in an order, or move it,
            ask by the address of the order.
          </p>
        )}
      </Card>
      {similar_orders.length > 0 && (
        <Card title="Orders of similar addresses">
          <p className="px-5 py-4 text-sm text-pretty text-soft">
            If one is meant, open it and move it to the right address.
          </p>
          <OrderRows orders={similar_orders} isNamed />
        </Card>
      )}
      {others.length > 0 && (
        <Card title="Other messages">
          <ul className="divide-y divide-line">
            {others.map((other) => (
              <li key={other.id} className="grid gap-1.5 px-5 py-3.5 text-sm">
                <NameLink to={`/admin/messages/${other.id}`}>{other.subject}</NameLink>
                <p className="flex flex-wrap items-center justify-between gap-2 text-soft">
                  <Time at={other.created_at} />
                  <StateBadge state={other.state} />
                </p>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </aside>
  )
}

type OrderRowsProps = { orders: MessageDetail['orders']; isNamed?: boolean }

function OrderRows({ orders, isNamed = false }: OrderRowsProps) {
  return orders.map(({ id, number, email, product, status, created_at }) => (
    <div key={id} className="grid gap-1.5 border-t border-line px-5 py-3.5 text-sm">
      <NameLink to={`/admin/purchases/${id}`}>
        {formatOrderNumber(number)} {product.name}
      </NameLink>
      {isNamed && <p className="break-words">{readableAddress(email)}</p>}
      <p className="flex flex-wrap items-center justify-between gap-2 text-soft">
        <Time at={created_at} />
        <StatusBadge status={status} />
      </p>
    </div>
  ))
}

function mailTo({ email, subject, message, name }: MessageDetail): string {
  const quoted = message.replaceAll(/^/gm, '> ')
  const parts = { subject: `Re: ${subject}`, body: `\n\n${name} wrote:\n${quoted.slice(0, 1500)}` }
  const query = Object.entries(parts).map(([key, value]) => `${key}=${encodeURIComponent(value)}`)
  return `mailto:${encodeURIComponent(email)}?${query.join('&')}`
}
