// The screen that lists users.
import { UserRound } from '../icons.tsx'
import { lazy, Suspense, useState, useRef } from 'react'
import { responseOf } from '../../../api.ts'
import { Button } from '../../../components/button.tsx'
import { NameLink, TextLink } from '../links.tsx'
import { readableAddress } from '../readable-address.ts'
import type { UserList, UserListRequest } from '#contract/accounts/users.ts'
import type { UsersApi } from '#domains/accounts/users.routes.ts'
import { formatCount, formatDate } from '../../../format/format.tsx'
import { Money } from '../../../format/money.tsx'
import { Badge } from '../../../components/note.tsx'
import { useLettersTerms } from '../../../shop.ts'
import { adminClient } from '../calls.tsx'
import { defineList, ListScreen } from '../list-screen.tsx'
import type { Route } from './+types/users.ts'
import { EmailAddress, RoleBadge } from '../cells.tsx'

const api = adminClient<UsersApi>()

const list = defineList({
  title: 'Readers',
  load: (query: Partial<UserListRequest>) => responseOf(api.users.$get({ query })),
  failed: 'Failed to fetch user data',
  notLoaded: 'The readers could not be loaded',
  search: { label: 'Search users', placeholder: 'Search users...' },
  exported: ({ q }) => ({ list: 'users', q }),
  empty: { icon: UserRound, title: 'No users found', text: 'No users have registered yet' },
  emptySearch: { text: 'Try adjusting your search terms' },
  about: ({ has_test_orders }) =>
    has_test_orders && (
      <p className="border-b border-line px-5 py-2.5 text-sm text-soft">Test orders are not counted.</p>
    ),
  rowKey: ({ user_id }) => user_id,
  sortedBy: 'joined',
  columns: [
    {
      title: 'User',
      sort: 'name',
      firstDir: 'asc',
      cell: ({ user_id, display_name, email, is_disabled, is_verified, is_erased }) => (
        <span className="grid min-w-0 justify-items-start max-sm:justify-items-end">
          <NameLink to={`/admin/users/${user_id}`}>{display_name || 'Unknown User'}</NameLink>
          {!is_erased && (
            <span className="max-w-full wrap-anywhere text-soft">
              <EmailAddress>{readableAddress(email) || 'No email'}</EmailAddress>
            </span>
          )}
          {is_disabled && !is_erased && <Badge>disabled</Badge>}
          {!is_verified && !is_erased && <Badge>not verified</Badge>}
        </span>
      ),
    },
    { title: 'Role', sort: 'role', firstDir: 'asc', cell: ({ roles }) => <RoleBadge roles={roles} /> },
    {
      title: 'Purchases',
      sort: 'purchases',
      align: 'right',
      cell: ({ total_purchases }) => formatCount(total_purchases),
    },
    {
      title: 'Total Spent',
      sort: 'spent',
      align: 'right',
      cell: ({ total_spent }) => <Money amount={total_spent} />,
    },
    {
      title: 'Last Purchase',
      sort: 'last',
      isOneLine: true,
      cell: ({ last_purchase }) => (last_purchase ? formatDate(last_purchase) : 'Never'),
    },
    { title: 'Joined', sort: 'joined', isOneLine: true, cell: ({ created_at }) => formatDate(created_at) },
  ],
})

export const clientLoader = list.clientLoader

const CreateUserForm = lazy(() => import('./create-user.tsx'))

export default function Users({ loaderData: page }: Route.ComponentProps) {
  const [isAdding, setIsAdding] = useState(false)
  const hasLetters = useLettersTerms() !== null
  const toggle = useRef<HTMLButtonElement>(null)
  function close() {
    setIsAdding(false)
    toggle.current?.focus()
  }
  return (
    <ListScreen
      list={list}
      page={page}
      tools={
        <div className="flex items-center justify-between gap-4 max-sm:grow sm:ml-auto">
          {hasLetters && <TextLink to="/admin/users/letters">Letters</TextLink>}
          {page && <Counter page={page} />}
          <Button
            ref={toggle}
            aria-expanded={isAdding}
            look={isAdding ? 'outline' : 'primary'}
            onClick={() => setIsAdding(!isAdding)}
          >
            {isAdding ? 'Cancel' : 'Add User'}
          </Button>
        </div>
      }
    >
      {isAdding && (
        <Suspense>
          <CreateUserForm onDone={close} />
        </Suspense>
      )}
    </ListScreen>
  )
}

function Counter({ page: { shown, total } }: { page: UserList }) {
  const counter = `${formatCount(shown.count)}${shown.isMore ? '+' : ''} of ${formatCount(total)} users`
  // A browser that translates the page replaces the texts: with its key, a changed sentence is an element of its own.
  return (
    <p role="status" className="text-sm text-soft tabular-nums">
      <span key={counter}>{counter}</span>
    </p>
  )
}
