// The screen that lists messages to the author.
import { Link } from 'react-router'
import { messageStates, type Message, type MessageListRequest } from '#contract/readers/messages.ts'
import type { MessagesApi } from '#domains/readers/readers.routes.ts'
import { responseOf } from '../../../api.ts'
import { Time } from '../../../format/format.tsx'
import { Mail } from '../../../components/icons.tsx'
import { adminClient } from '../calls.tsx'
import { defineList } from '../list-screen.tsx'
import { MessageStateBadge, messageStateNames } from '../cells.tsx'

const api = adminClient<MessagesApi>()

const list = defineList({
  title: 'Messages',
  heading: ({ unanswered }) => (unanswered > 0 ? `Messages (${unanswered} unanswered)` : 'Messages'),
  load: (query: MessageListRequest) => responseOf(api.messages.$get({ query })),
  failed: 'Failed to fetch messages',
  notLoaded: 'The messages could not be loaded',
  filters: [
    {
      label: 'State',
      name: 'state',
      all: 'All states',
      options: messageStates.map((value) => ({ value, label: messageStateNames[value] })),
    },
    {
      label: 'Show',
      name: 'only',
      all: 'All messages',
      options: [{ value: 'unread', label: 'Unread' }],
    },
  ],
  empty: {
    icon: Mail,
    title: 'No messages here',
    text: 'What visitors write to you from the contact form appears here.',
  },
  row: (message) => <MessageRow key={message.id} message={message} />,
})

export const clientLoader = list.clientLoader
export default list.Screen

function MessageRow({
  message: { id, name, subject, message, created_at, is_read, state },
}: {
  message: Message
}) {
  return (
    <li className="relative px-5 py-3.5 hover:bg-ink/3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h3 className={`min-w-0 break-words ${is_read ? '' : 'font-semibold'}`}>
          <Link
            to={`/admin/messages/${id}`}
            className="rounded-sm after:absolute after:inset-0 hover:underline"
          >
            {subject}
          </Link>
        </h3>
        <p className="flex items-center gap-3 text-sm text-soft tabular-nums">
          <span className="min-w-0 break-words">
            {name} · <Time at={created_at} />
          </span>
          <MessageStateBadge state={state} />
        </p>
      </div>
      <p className="mt-0.5 line-clamp-1 max-w-3xl text-sm break-words text-soft">{message}</p>
    </li>
  )
}
