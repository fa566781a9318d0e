import { Time } from '../../../time.tsx'
import { Mail } from '../../../components/icons.tsx'
import { Trash } from '../icons.tsx'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Message, MessageListRequest } from '#features/messages/contract/messages.ts'
import type { Page } from '#platform/contract/paging.ts'
import type { MessagesApi } from '#features/messages/routes.ts'
import { toast } from '../../../toasts.tsx'
import { Badge } from '../../../components/badge.tsx'
import { Button, buttonClass } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { Failed } from '../../../components/failed.tsx'
import { Note } from '../../../components/note.tsx'
import { Pager } from '../../../components/pager.tsx'
import { FilterSelect } from '../../../components/search-field.tsx'
import { adminClient, loadPage } from '../admin-client.ts'
import type { Route } from './+types/messages.ts'
import { useAdminCall } from '../use-admin-call.ts'

const api = adminClient<MessagesApi>()

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  return loadPage('Failed to fetch messages', request, (query: MessageListRequest) =>
    api.messages.$get({ query }),
  )
}

export default function Messages({ loaderData: page }: Route.ComponentProps) {
  const [search] = useSearchParams()
  return (
    <Card
      title={page && page.unread > 0 ? `Messages (${page.unread} unread)` : 'Messages'}
      action={
        <FilterSelect
          label="Which"
          name="only"
          all="All messages"
          options={[{ value: 'unread', label: 'Unread' }]}
        />
      }
    >
      {!page && <Failed title="The messages could not be loaded" />}
      {page && <MessageList key={search.toString()} page={page} />}
    </Card>
  )
}

function MessageList({ page: { items, next } }: { page: Page<Message> }) {
  const [search] = useSearchParams()
  const [opened, setOpened] = useState<readonly Message[]>([])
  const open = (message: Message) => setOpened((before) => [...before, { ...message, is_read: true }])
  const close = (id: string) => setOpened((before) => before.filter((each) => each.id !== id))
  const shown = withOpened(items, opened)
  if (shown.length === 0) {
    return (
      <Note icon={Mail} title={search.get('only') ? 'Nothing unread' : 'No messages yet'}>
        What visitors write to you from the contact form appears here.
      </Note>
    )
  }
  return (
    <>
      <ul className="divide-y divide-line">
        {shown.map((message) => (
          <MessageRow
            key={message.id}
            message={message}
            isOpen={opened.some(({ id }) => id === message.id)}
            onOpen={() => open(message)}
            onClose={() => close(message.id)}
          />
        ))}
      </ul>
      <Pager next={next} />
    </>
  )
}

/** What is open stays while it is read, also where only unread ones are listed. */
function withOpened(items: readonly Message[], opened: readonly Message[]): Message[] {
  const left = opened.filter(({ id }) => !items.some((each) => each.id === id))
  return [...items, ...left].toSorted((one, other) => other.created_at.localeCompare(one.created_at))
}

type MessageRowProps = { message: Message; isOpen: boolean; onOpen: () => void; onClose: () => void }

function MessageRow({ message, isOpen, onOpen, onClose }: MessageRowProps) {
  const { id, name, email, subject, created_at, is_read } = message
  const [, run] = useAdminCall()
  const param = { id }
  const change = (call: () => Promise<unknown>) => void run(call, { failed: 'Couldn’t save the change' })
  const mark = (json: { is_read: boolean }) => change(() => api.messages[':id'].$patch({ param, json }))
  function toggle() {
    if (isOpen) return onClose()
    onOpen()
    if (!is_read) mark({ is_read: true })
  }
  function restore() {
    change(() => api.messages[':id'].restore.$post({ param }))
    onOpen()
  }
  function remove() {
    change(() => api.messages[':id'].$delete({ param }))
    onClose()
    toast({ title: 'Message Deleted', action: { label: 'Undo', onPress: restore } })
  }
  return (
    <li>
      <h3>
        <button
          type="button"
          aria-expanded={isOpen}
          className="flex w-full cursor-pointer flex-wrap items-baseline justify-between gap-x-6 gap-y-1 px-5 py-3 text-left -outline-offset-4 hover:bg-ink/3"
          onClick={toggle}
        >
          <span className={`min-w-0 break-words ${is_read ? '' : 'font-semibold'}`}>
            <span className="mr-2">{subject}</span> {!is_read && <Badge look="highlighted">new</Badge>}
          </span>
          <span className="text-sm text-soft tabular-nums">
            {name} · <Time at={created_at} />
          </span>
        </button>
      </h3>
      {isOpen && (
        <div className="px-5 pb-5">
          <p className="max-w-2xl break-words whitespace-pre-line">{message.message}</p>
          <p className="mt-4 flex flex-wrap items-center gap-2">
            <a href={replyTo(message)} className={buttonClass()}>
              Reply to {email}
            </a>
            <Button look="outline" onClick={() => mark({ is_read: false })}>
              Mark as unread
            </Button>
            <Button look="quiet" onClick={remove}>
              <Trash aria-hidden className="size-4.5" />
              Delete
            </Button>
          </p>
        </div>
      )}
    </li>
  )
}

function replyTo({ email, subject, message, name }: Message): string {
  const quoted = message.replaceAll(/^/gm, '> ')
  const parts = { subject: `Re: ${subject}`, body: `\n\n${name} wrote:\n${quoted.slice(0, 1500)}` }
  const query = Object.entries(parts).map(([key, value]) => `${key}=${encodeURIComponent(value)}`)
  return `mailto:${encodeURIComponent(email)}?${query.join('&')}`
}
