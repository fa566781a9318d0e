import { Link } from 'react-router'
import {
  messageStates,
  type Message,
  type MessageListRequest,
  type MessageState,
} from '#contract/readers/messages.ts'
import type { MessagesApi } from '#domains/readers/messages.routes.ts'
import { Time } from '../../../format.tsx'
import { Mail } from '../../../components/icons.tsx'
import { Badge } from '../../../components/badge.tsx'
import { Note } from '../../../components/note.tsx'
import { FilterSelect } from '../../../components/search-field.tsx'
import { adminClient, loadPage } from '../admin-client.ts'
import { ListCard } from '../frame.tsx'
import type { Route } from './+types/messages.ts'

const api = adminClient<MessagesApi>()

const stateNames: Record<MessageState, string> = { new: 'New', answered: 'Answered', done: 'Done' }

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  return loadPage('Failed to fetch messages', request, (query: MessageListRequest) =>
    api.messages.$get({ query }),
  )
}

export default function Messages({ loaderData: page }: Route.ComponentProps) {
  return (
    <ListCard
      title={page && page.unanswered > 0 ? `Messages (${page.unanswered} unanswered)` : 'Messages'}
      action={
        <div className="grid grow grid-cols-2 gap-2 sm:flex sm:grow-0 sm:gap-3">
          <FilterSelect
            label="Which"
            name="state"
            all="Every state"
            options={messageStates.map((value) => ({ value, label: stateNames[value] }))}
          />
          <FilterSelect
            label="Read or not"
            name="only"
            all="Read or not"
            options={[{ value: 'unread', label: 'Unread' }]}
          />
        </div>
      }
      page={page}
      failed="The messages could not be loaded"
      empty={
        <Note icon={Mail} title="No messages here">
          What visitors write to you from the contact form appears here.
        </Note>
      }
    >
      {(message) => <MessageRow key={message.id} message={message} />}
    </ListCard>
  )
}

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
          <StateBadge state={state} />
        </p>
      </div>
      <p className="mt-0.5 line-clamp-1 max-w-3xl text-sm break-words text-soft">{message}</p>
    </li>
  )
}

export function StateBadge({ state }: { state: MessageState }) {
  return <Badge look={state === 'new' ? 'highlighted' : 'plain'}>{stateNames[state].toLowerCase()}</Badge>
}
