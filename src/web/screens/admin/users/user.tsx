import { useState } from 'react'
import { useFetcher } from 'react-router'
import { roles, type Role } from '#features/accounts/contract/accounts.ts'
import type { OrderListRequest } from '#features/orders/contract/orders.ts'
import type { UserDetail } from '#features/users/contract.ts'
import type { OrdersApi } from '#features/orders/routes.ts'
import type { UsersApi } from '#features/users/routes.ts'
import { responseOf } from '../../../api.ts'
import { formatCount, formatDate, formatMoment } from '../../../format.ts'
import { Money } from '../../../money.tsx'
import { mailedNotice } from '../../../mailed-notice.ts'
import { readChoice } from '../../../form.ts'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Card, StatCard } from '../../../components/card.tsx'
import { Confirm } from '../../../components/confirm.tsx'
import { Failed } from '../../../components/note.tsx'
import { adminAction } from '../admin-action.ts'
import { adminClient } from '../admin-client.ts'
import { load } from '../load.ts'
import type { Route } from './+types/user.ts'
import { Bought } from './user-purchases.tsx'
import { ResetFactor } from './reset-factor.tsx'
import { RoleBadge } from './role-badge.tsx'
import { sendFactorReset } from './send-factor-reset.ts'
import { adminNotices } from '../notices.ts'

export { NotHere as ErrorBoundary } from '../not-here.tsx'

const api = adminClient<UsersApi>()
const ordersApi = adminClient<OrdersApi>()

export function clientLoader({ params, request }: Route.ClientLoaderArgs) {
  const after = new URL(request.url).searchParams.get('after') ?? undefined
  const query: OrderListRequest = { user_id: params.id, after }
  return load(adminNotices.usersFailed, async () => {
    const asked = responseOf(ordersApi.purchases.$get({ query }))
    asked.catch(() => undefined)
    const user = await responseOf(api.users[':id'].$get({ param: params }))
    return { user, bought: await asked }
  })
}

export async function clientAction({ params, request }: Route.ClientActionArgs) {
  const form = await request.formData()
  if (form.get('adminAction') === 'resetFactor') return sendFactorReset(params.id, form)
  const change = readChoice(form, 'adminAction', changeNames)
  if (!change) return null
  const done = { title: changes[change].done }
  return adminAction(() => changes[change].send(params.id, readChoice(form, 'role', roles)), {
    done: () => (change === 'verify' ? mailedNotice(done, adminNotices.verificationKept) : done),
    failed: 'Couldn’t save the change',
  })
}

const changeNames = ['grant', 'revoke', 'disable', 'enable', 'signOut', 'verify'] as const
type ChangeName = (typeof changeNames)[number]
type Change = { done: string; send: (id: string, role: Role | undefined) => Promise<unknown> }

const account = api.users[':id']
const changes: Record<ChangeName, Change> = {
  grant: {
    done: 'Role Given',
    send: async (id, role) => role && account.roles[':role'].$put({ param: { id, role }, json: {} }),
  },
  revoke: {
    done: 'Role Taken Away',
    send: async (id, role) => role && account.roles[':role'].$delete({ param: { id, role }, json: {} }),
  },
  disable: {
    done: 'Account Disabled',
    send: (id) => account.disabled.$put({ param: { id }, json: { is_disabled: true } }),
  },
  enable: {
    done: 'Account Enabled',
    send: (id) => account.disabled.$put({ param: { id }, json: { is_disabled: false } }),
  },
  signOut: {
    done: 'Signed Out Everywhere',
    send: (id) => account.sessions.$delete({ param: { id }, json: {} }),
  },
  verify: { done: 'Verification Sent', send: (id) => account.verification.$post({ param: { id } }) },
}

export default function UserPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData) return <Failed title="The account could not be loaded" />
  const { user, bought } = loaderData
  return (
    <div className="grid gap-6">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 className="min-w-0 text-xl font-semibold break-words">{user.display_name || 'Unknown User'}</h2>
        <RoleBadge roles={user.roles} />
        {user.is_disabled && <Badge look="danger">disabled</Badge>}
        <p className="w-full break-words text-soft">
          {user.email || 'No email'} · {user.is_verified ? 'verified' : 'not verified'}
          {user.factors > 0 && ' · signs in with a second factor'} · joined {formatDate(user.created_at)}
        </p>
      </div>
      <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <StatCard name="Purchases" value={formatCount(user.total_purchases)} />
        <StatCard name="Total Spent" value={<Money amount={user.total_spent} />} />
        <StatCard
          name="Last Purchase"
          value={user.last_purchase ? formatDate(user.last_purchase) : 'Never'}
        />
        <StatCard
          name="Active Sessions"
          value={formatCount(user.sessions)}
          hint={user.last_sign_in_at && `Last sign-in ${formatMoment(user.last_sign_in_at)}`}
        />
      </dl>
      <Bought page={bought} />
      <Roles user={user} />
      <Account user={user} />
    </div>
  )
}

type Question = {
  title: string
  action: string
  text: string
  fields: { adminAction: ChangeName; role?: Role }
}

function useAdminActions() {
  const fetcher = useFetcher()
  const [question, setQuestion] = useState<Question>()
  const isBusy = fetcher.state !== 'idle'
  const dialog = question && (
    <Confirm
      title={question.title}
      action={question.action}
      isDanger={question.fields.adminAction !== 'grant'}
      onClose={() => setQuestion(undefined)}
      onConfirm={() => {
        void fetcher.submit(question.fields, { method: 'post' })
        setQuestion(undefined)
      }}
    >
      {question.text}
    </Confirm>
  )
  return {
    dialog,
    ask: setQuestion,
    isBusy,
    submit: (adminAction: ChangeName) => void fetcher.submit({ adminAction }, { method: 'post' }),
  }
}

const otherPassword =
  'If somebody else chose its password, the account is signed out, and its owner gets an email to choose one.'

const powers: Record<Role, string> = {
  admin: 'Sees everything in the admin area and may change it, accounts included.',
  moderator: 'Carries the badge of a moderator; no further powers.',
  user: 'Buys and reads.',
}

const powerOf = (role: Role) => (role === 'admin' ? `${powers.admin} ${otherPassword}` : powers[role])

function Roles({ user }: { user: UserDetail }) {
  const { dialog, ask, isBusy } = useAdminActions()
  const name = user.display_name || user.email
  return (
    <Card title="Roles">
      <ul className="divide-y divide-line">
        {roles.map((role) => {
          const has = user.roles.includes(role)
          return (
            <li key={role} className="flex flex-wrap items-center justify-between gap-3 px-5 py-3">
              <div>
                <p className="font-semibold capitalize">{role}</p>
                <p className="text-sm text-soft">{powers[role]}</p>
              </div>
              <Button
                look="outline"
                disabled={isBusy}
                aria-label={`${has ? 'Take away' : 'Give'} the role ${role}`}
                onClick={() =>
                  ask({
                    title: has ? `Take the role ${role} away?` : `Make ${name} ${role}?`,
                    action: has ? 'Take away' : 'Give the role',
                    text: has ? `${name} loses it at the very next click.` : powerOf(role),
                    fields: { adminAction: has ? 'revoke' : 'grant', role },
                  })
                }
              >
                {has ? 'Take away' : 'Give'}
              </Button>
            </li>
          )
        })}
      </ul>
      {dialog}
    </Card>
  )
}

function Account({ user }: { user: UserDetail }) {
  const { dialog, ask, isBusy, submit } = useAdminActions()
  return (
    <Card title="Account">
      <div className="flex flex-wrap gap-3 px-5 py-4">
        {!user.is_verified && (
          <Button look="outline" disabled={isBusy} onClick={() => submit('verify')}>
            Send the verification again
          </Button>
        )}
        <Button
          look="outline"
          disabled={isBusy || user.sessions === 0}
          onClick={() =>
            ask({
              title: 'Sign out everywhere?',
              action: 'Sign out',
              text: 'Every browser and device has to sign in again. Purchases stay as they are.',
              fields: { adminAction: 'signOut' },
            })
          }
        >
          Sign out everywhere
        </Button>
        <ResetFactor user={user} />
        {user.is_disabled ? (
          <Button look="outline" disabled={isBusy} onClick={() => submit('enable')}>
            Enable the account
          </Button>
        ) : (
          <Button
            look="outline"
            disabled={isBusy}
            onClick={() =>
              ask({
                title: 'Disable this account?',
                action: 'Disable',
                text: 'It is signed out everywhere and cannot sign in until you enable it again. Nothing is deleted.',
                fields: { adminAction: 'disable' },
              })
            }
          >
            Disable the account
          </Button>
        )}
      </div>
      {dialog}
    </Card>
  )
}
