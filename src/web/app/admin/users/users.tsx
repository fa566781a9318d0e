// The screen that lists users and adds one.
import { CopyButton } from '../../../components/copy-button.tsx'
import { WandSparkles, UserRound } from '../icons.tsx'
import { useState, useRef } from 'react'
import type { z } from 'zod'
import { useRevalidator } from 'react-router'
import { toast } from '../../../notices/toasts.tsx'
import { responseOf } from '../../../api.ts'
import { createUserRequest } from '#contract/accounts/accounts.ts'
import { problemCodeHeader } from '#contract/problems.ts'
import { textIn, toObject, type JsonObject } from '../../../page/page-state.ts'
import type { FormResult } from '../../../forms/form.ts'
import { Input, type FieldProps } from '../../schema-fields.tsx'
import { SchemaForm, type SentForm } from '../../schema-form.tsx'
import { accessToken } from '../../../session/session.ts'
import { askForProof, isProofNeeded } from '../../proof-dialog.tsx'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../card.tsx'
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
import { RoleBadge } from '../cells.tsx'

type NewUser = z.output<typeof createUserRequest>

function CreateUserForm({ onDone }: { onDone: () => void }) {
  const { revalidate } = useRevalidator()
  async function send(user: NewUser) {
    const result = await createUser(user)
    await revalidate()
    if (result.isSaved) onDone()
    return result
  }
  return (
    <Card title="Create a new account">
      <SchemaForm
        schema={createUserRequest}
        fields={{
          email: { label: 'Email', beside: 'wide' },
          displayName: { label: 'Display name (optional)', beside: 'wide' },
          password: { label: 'Password', beside: 'wide', as: NewPassword },
          role: { label: 'Role', beside: 'wide', options: ['user', 'admin'] },
        }}
        values={{ role: 'user' }}
        className="p-5"
        button="Create User"
        busyButton="Creating User..."
        send={send}
      />
    </Card>
  )
}

function NewPassword(props: FieldProps<SentForm>) {
  const [password, setPassword] = useState('')
  return (
    <>
      <Input {...props} input={{ autoComplete: 'new-password' }} typed={password} onType={setPassword} />
      <p className="mt-2 flex flex-wrap gap-2">
        <Button
          look="outline"
          onClick={() => {
            setPassword(generatePassword())
            props.form.markChanged()
          }}
        >
          <WandSparkles aria-hidden className="size-4.5" />
          Generate
        </Button>
        <CopyButton
          label="Copy"
          text={password}
          copied={{
            title: 'Password Copied',
            description: 'Send it in a way that only its owner can read.',
          }}
          notCopied={{
            title: 'Couldn’t copy',
            description: 'Your browser does not allow it here. Show the password and copy it by hand.',
          }}
        />
      </p>
    </>
  )
}

async function createUser(user: NewUser): Promise<FormResult> {
  try {
    const call = () => invoke(JSON.stringify(user))
    let { body, code } = await call()
    if (isProofNeeded(code) && (await askForProof('Continue'))) ({ body, code } = await call())
    if (body['success'] !== true) return refused(textIn(body, 'error') ?? 'Failed to create user')
    toast({ title: 'User Created', description: textIn(body, 'message') ?? '' })
    return { isSaved: true }
  } catch {
    return refused('Failed to create user')
  }
}

async function invoke(body: string): Promise<{ body: JsonObject; code?: string | undefined }> {
  const token = await accessToken()
  if (!token) return { body: { error: 'No active session' } }
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const response = await fetch('/functions/v1/admin-create-user', { method: 'POST', headers, body })
  const code = response.headers.get(problemCodeHeader) ?? undefined
  return { body: toObject(await response.json()), code }
}

function refused(description: string): FormResult {
  toast({ title: 'Error', description, destructive: true })
  return { isSaved: false }
}

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
  ],
})

export const clientLoader = list.clientLoader

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
      {isAdding && <CreateUserForm onDone={close} />}
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

const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!@#$%^&*'
const length = 12

/**
 * 12 letters, digits and signs, from a cryptographic source. Bytes that would favor the first characters are discarded.
 */
export function generatePassword(): string {
  const fair = 256 - (256 % characters.length)
  let password = ''
  while (password.length < length) {
    const bytes = crypto.getRandomValues(new Uint8Array(length))
    for (const byte of bytes)
      if (byte < fair && password.length < length) password += characters[byte % characters.length]
  }
  return password
}
