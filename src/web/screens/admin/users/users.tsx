import { NameLink } from '../text-link.tsx'
import { UserRound } from '../icons.tsx'
import { useCallback, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { User, UserList, UserListRequest } from '#contract/accounts/users.ts'
import type { UsersApi } from '#domains/accounts/users.routes.ts'
import { formatCount, formatDate } from '../../../format.ts'
import { Money } from '../../../money.tsx'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Note } from '../../../components/note.tsx'
import { SearchField } from '../../../components/search-field.tsx'
import type { Column } from '../../../components/table.tsx'
import { ExportButton } from '../export-button.tsx'
import { adminClient, loadPage } from '../admin-client.ts'
import { TableCard } from '../list-card.tsx'
import type { Route } from './+types/users.ts'
import { CreateUserForm } from './create-user-form.tsx'
import { RoleBadge } from './role-badge.tsx'
import { readableAddress } from '../readable-address.ts'

const api = adminClient<UsersApi>()

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  return loadPage('Failed to fetch user data', request, (query: Partial<UserListRequest>) =>
    api.users.$get({ query }),
  )
}

export { createUserAction as clientAction } from './create-user-form.tsx'

export default function Users({ loaderData: page }: Route.ComponentProps) {
  const [search] = useSearchParams()
  const q = search.get('q') || undefined
  const [isAdding, setIsAdding] = useState(false)
  const toggle = useRef<HTMLButtonElement>(null)
  const close = useCallback(() => {
    setIsAdding(false)
    toggle.current?.focus()
  }, [])
  return (
    <div className="grid gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <SearchField label="Search users" placeholder="Search users..." />
        <div className="flex items-center justify-between gap-4 max-sm:grow">
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
      </div>
      {isAdding && <CreateUserForm onDone={close} />}
      <TableCard
        title="Users"
        action={<ExportButton request={{ list: 'users', q }}>{q ? 'These users' : 'All users'}</ExportButton>}
        page={page}
        failed="The users could not be loaded"
        empty={
          <Note icon={UserRound} title="No users found">
            {q ? 'Try adjusting your search terms' : 'No users have registered yet'}
          </Note>
        }
        label="Users"
        sortedBy="joined"
        rowKey={({ user_id }) => user_id}
        columns={columns}
      />
    </div>
  )
}

function Counter({ page: { shown, total } }: { page: UserList }) {
  return (
    <p role="status" className="text-sm text-soft tabular-nums">
      {formatCount(shown.count)}
      {shown.isMore && <span>{'+'}</span>}
      <span> of {formatCount(total)} users</span>
    </p>
  )
}

const columns: Column<User>[] = [
  {
    title: 'User',
    sort: 'name',
    firstDir: 'asc',
    cell: ({ user_id, display_name, email, is_disabled, is_verified, is_erased }) => (
      <span className="grid min-w-0 justify-items-start max-sm:justify-items-end">
        <NameLink to={`/admin/users/${user_id}`}>{display_name || 'Unknown User'}</NameLink>
        {!is_erased && (
          <span className="max-w-full wrap-anywhere text-soft">{readableAddress(email) || 'No email'}</span>
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
]
