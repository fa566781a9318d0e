// The page of a message. A reply stays in the browser until it is sent. The id is that of the reply: a repeated call
// sends it once.
import { z } from 'zod'
import { useRef, useState } from 'react'
import type { MessageDetail, PossibleOrder, Snippet, Reply } from '#contract/readers/messages.ts'
import type { MessagesApi } from '#domains/readers/readers.routes.ts'
import { ProblemError, responseOf } from '../../../api.ts'
import { asEntered, useForm } from '../../../forms/form.ts'
import { Button, buttonClass, ButtonLink } from '../../../components/button.tsx'
import { TextField } from '../../../components/field.tsx'
import { adminClient, load, useAdminCall, CallButton } from '../calls.tsx'
import { LoadedEmailPreview } from '../email-preview.tsx'
import { Snippets } from './snippets.tsx'
import { useNavigate } from 'react-router'
import { standardAnswers } from '#content/standard-answers.ts'
import { fill } from '#words/texts.ts'
import { useBookFacts } from '../../../shop.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { isCompleted } from '#contract/orders/purchase-status.ts'
import { Time } from '../../../format/format.tsx'
import { toast } from '../../../notices/toasts.tsx'
import { Callout } from '../../../components/note.tsx'
import { Card, LoadFailed } from '../../card.tsx'
import { Trash } from '../icons.tsx'
import { NeighborLinks, NameLink, TextLink } from '../links.tsx'
import { readableAddress } from '../readable-address.ts'
import type { Route } from './+types/message.ts'
import { MessageStateBadge, OrderBadges } from '../cells.tsx'

const api = adminClient<MessagesApi>()

const draft = z.object({ id: z.uuid(), body: z.string() })
type ReplyDraft = z.infer<typeof draft>

const keyOf = (messageId: string) => `reply-draft:${messageId}`

function readDraft(messageId: string): ReplyDraft {
  const text = localStorage.getItem(keyOf(messageId)) ?? ''
  try {
    return draft.parse(JSON.parse(text))
  } catch {
    return { id: crypto.randomUUID(), body: '' }
  }
}

function saveDraft(messageId: string, written: ReplyDraft): ReplyDraft {
  try {
    if (written.body) localStorage.setItem(keyOf(messageId), JSON.stringify(written))
    else localStorage.removeItem(keyOf(messageId))
  } catch {
    // The storage is full. The form still has what was typed.
  }
  return written
}

function deleteDraft(messageId: string): ReplyDraft {
  return saveDraft(messageId, { id: crypto.randomUUID(), body: '' })
}

const sending = (email: string) => ({
  press: 'Send reply',
  busy: 'Sending…',
  done: { title: 'Reply on its way', description: `It goes to ${email}.` },
  failed: 'Couldn’t send the reply',
})

const saving = {
  press: 'Save reply',
  busy: 'Saving…',
  done: { title: 'Reply saved', description: 'Email is not set up, so it was not sent.' },
  failed: 'Couldn’t save the reply',
}

function ReplyForm({ message, snippets }: { message: MessageDetail; snippets: Snippet[] }) {
  const { id, email, sends_mail } = message
  const [draft, setDraft] = useState(() => readDraft(id))
  const [, run] = useAdminCall()
  const { form, isBusy } = useForm(asEntered, send)
  const field = useRef<HTMLTextAreaElement>(null)
  const words = sends_mail ? sending(email) : saving
  function write(body: string, replyId = draft.id) {
    setDraft(saveDraft(id, { id: replyId, body }))
  }
  async function send() {
    const call = async () => {
      const param = { id, reply_id: draft.id }
      try {
        return await responseOf(
          api.messages[':id'].replies[':reply_id'].$put({ param, json: { body: draft.body } }),
        )
      } catch (error) {
        // The reply that was sent under this id had another text: it is listed above, and this is a new reply.
        if (error instanceof ProblemError && error.code === 'messages.reply_exists')
          write(draft.body, crypto.randomUUID())
        throw error
      }
    }
    const result = await run(call, { done: words.done, failed: words.failed })
    if (result.isSaved) setDraft(deleteDraft(id))
    return result
  }
  /** Inserts the text at the cursor, which then stands behind it. */
  function insert(text: string) {
    const { selectionStart: from = draft.body.length, selectionEnd: to = from } = field.current ?? {}
    write(draft.body.slice(0, from) + text + draft.body.slice(to))
    requestAnimationFrame(() => {
      field.current?.focus()
      field.current?.setSelectionRange(from + text.length, from + text.length)
    })
  }
  return (
    <div className="grid gap-4">
      <form {...form} noValidate={false} className="grid justify-items-start gap-3 *:w-full">
        <TextField
          ref={field}
          label={`Reply to ${email}`}
          name="body"
          rows={7}
          maxLength={10_000}
          value={draft.body}
          onChange={({ target }) => write(target.value)}
        />
        <p>
          <Button type="submit" disabled={isBusy}>
            {isBusy ? words.busy : words.press}
          </Button>
        </p>
      </form>
      <LoadedEmailPreview
        label="Preview the reply"
        content={draft.body}
        isReady={draft.body.trim() !== ''}
        sendsMail={sends_mail}
        load={() =>
          responseOf(api.messages[':id'].preview.$post({ param: { id }, json: { body: draft.body } }))
        }
      />
      <Snippets snippets={snippets} text={draft.body} onInsert={insert} />
    </div>
  )
}

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
    <Card title={subject} action={<MessageStateBadge state={state} />}>
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
            <TextLink to="/admin/mails/settings">Set it up</TextLink>, or{' '}
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
  unsent: 'not sent, because email is not set up',
  failed: 'not sent',
}

type ReplyTextProps = { reply: Reply; sendsMail: boolean }

function ReplyText({ reply: { body, created_at, mail: state, error }, sendsMail }: ReplyTextProps) {
  const mail = state === 'waiting' && !sendsMail ? 'unsent' : state
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
  /** Leaves the page before the message is loaded again, which would mark it as read. */
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

function Writer({ message: { email, user, orders, possible_orders, others } }: { message: MessageDetail }) {
  return (
    <aside aria-label="Sender" className="grid gap-5">
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
        {!user && possible_orders.length === 0 && (
          <p className="border-t border-line px-5 py-4 text-sm text-pretty text-soft">
            Nor does an order fit what the message says.{' '}
            <TextLink to="/admin/purchases">Search the orders</TextLink> by a name, a street or a number.
          </p>
        )}
        {user && orders.length === 0 && (
          <p className="border-t border-line px-5 py-4 text-sm text-soft">No purchase</p>
        )}
        <OrderRows orders={orders} />
        {user && (
          <p className="border-t border-line px-5 py-4 text-sm text-pretty text-soft">
            The form does not check whose address this is. Before you tell what is in an order, or move it,
            ask by the address of the order.
          </p>
        )}
      </Card>
      {possible_orders.length > 0 && (
        <Card title="Possible orders">
          <p className="px-5 py-4 text-sm text-pretty text-soft">
            Nothing here is proven: anybody can write a name or an address. Ask the mailbox of the order
            first, from your own. If its address is mistyped, nobody is there: then ask the reader for the
            day, the amount, or the last digits of the card.
          </p>
          {possible_orders.map((order) => (
            <PossibleOrderRow key={order.id} order={order} writer={email} />
          ))}
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
                  <MessageStateBadge state={other.state} />
                </p>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </aside>
  )
}

const reasons: Record<PossibleOrder['reasons'][number], string> = {
  order_number: 'the message names its number',
  other_address: 'the message names its address',
  same_name: 'same name',
  same_day: 'same day',
  similar_address: 'a similar address',
}

function PossibleOrderRow({ order, writer }: { order: PossibleOrder; writer: string }) {
  const { id, number, email } = order
  const { language } = useBookFacts()
  const fits = order.reasons.map((reason) => reasons[reason]).join(', ')
  return (
    <div className="grid gap-3 pb-4">
      <OrderRows orders={[order]} isNamed />
      <p className="px-5 text-sm">
        <span className="text-soft">Why it fits: </span>
        {fits}
      </p>
      <p className="flex flex-wrap gap-2 px-5">
        {email && (
          <a href={questionTo(email, number, language)} className={buttonClass('outline')}>
            Ask the mailbox of the order
          </a>
        )}
        {email && isCompleted(order.status) && (
          <ButtonLink to={`/admin/purchases/${id}#change-email=${encodeURIComponent(writer)}`} look="quiet">
            Change the buyer’s email…
          </ButtonLink>
        )}
      </p>
    </div>
  )
}

/** It says nothing of the writer, who may be a stranger to the buyer. */
function questionTo(email: string, number: number, language: string): string {
  const { subject, body } = standardAnswers(language).question
  const words = (text: string) => encodeURIComponent(fill(text, { order: formatOrderNumber(number) }))
  return `mailto:${encodeURIComponent(email)}?subject=${words(subject)}&body=${words(body)}`
}

type OrderRowsProps = { orders: MessageDetail['orders']; isNamed?: boolean }

function OrderRows({ orders, isNamed = false }: OrderRowsProps) {
  return orders.map((order) => (
    <div key={order.id} className="grid gap-1.5 border-t border-line px-5 py-3.5 text-sm">
      <NameLink to={`/admin/purchases/${order.id}`}>
        {formatOrderNumber(order.number)} {order.product.name}
      </NameLink>
      {isNamed && <p className="break-words">{readableAddress(order.email)}</p>}
      <p className="flex flex-wrap items-center justify-between gap-2 text-soft">
        <Time at={order.created_at} />
        <OrderBadges order={order} />
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
