// The screen of one user.
import { useState, type ReactNode } from 'react'
import type { UserDetail } from '#contract/accounts/users.ts'
import type { UsersApi } from '#domains/accounts/users.routes.ts'
import { Button } from '../../../components/button.tsx'
import { Card, StatCard, Failed } from '../../card.tsx'
import { ProofForm } from '../../proof-dialog.tsx'
import { adminClient, load, useAdminCall, CallButton } from '../calls.tsx'
import { roles, type Role } from '#contract/accounts/accounts.ts'
import type { OrderListRequest } from '#contract/orders/admin-orders.ts'
import type { OrdersApi } from '#domains/overview/orders.routes.ts'
import { responseOf } from '../../../api.ts'
import { formatCount, formatDate, formatMoment } from '../../../format/format.tsx'
import { Money } from '../../../format/money.tsx'
import { mailedNotice } from '../../../notices/mail-notice.ts'
import { Badge } from '../../../components/note.tsx'
import { TableCard } from '../list-screen.tsx'
import { NeighborLinks } from '../links.tsx'
import { readableAddress } from '../readable-address.ts'
import type { Route } from './+types/user.ts'
import { ownOrderColumns, RoleBadge } from '../cells.tsx'

type ProofButtonProps = {
  label: string
  action: string
  busyLabel: string
  call: () => Promise<unknown>
  done: string
  failed: string
  children: ReactNode
}

/** Asks for a proof of who presses it, however recent the last one is. */
function ProofButton({ label, action, busyLabel, call, done, failed, children }: ProofButtonProps) {
  const [isAsking, setIsAsking] = useState(false)
  const [, run] = useAdminCall()
  async function send() {
    const { isSaved } = await run(call, { done: { title: done }, failed })
    if (isSaved) setIsAsking(false)
  }
  return (
    <>
      <Button look="outline" onClick={() => setIsAsking(true)}>
        {label}
      </Button>
      {isAsking && (
        <ProofForm
          title={`${label}?`}
          action={action}
          busyLabel={busyLabel}
          isDanger
          onProven={send}
          onClose={() => setIsAsking(false)}
        >
          {children}
        </ProofForm>
      )}
    </>
  )
}

/** Nobody but the new mailbox itself confirms for it. */
function AddressChange({ user }: { user: UserDetail }) {
  const { address_change: change, email, user_id: id } = user
  if (!change) return null
  const { new_email, missing } = change
  const isOldMissing = missing.includes('current')
  const mailboxes = [...(isOldMissing ? [email] : []), ...(missing.includes('new') ? [new_email] : [])]
  return (
    <Card title="Another address" contentClass="grid justify-items-start gap-4 px-5 py-4">
      <p className="text-pretty">
        The account is to have the address <strong className="wrap-anywhere">{new_email}</strong>. Not
        confirmed yet by: {mailboxes.join(' and ')}.
      </p>
      {isOldMissing && !user.roles.includes('admin') && (
        <ProofButton
          label="Confirm for the old mailbox"
          action="Confirm"
          busyLabel="Confirming..."
          call={() => account['address-confirmation'].$post({ param: { id }, json: { new_email } })}
          done="Confirmed for the Old Mailbox"
          failed="Couldn’t confirm"
        >
          Whoever has the mailbox of {new_email} then gets this account and its orders. Do this only for a
          reader who cannot open {email} any more, and when you are sure who asks for it.
        </ProofButton>
      )}
    </Card>
  )
}

const account = adminClient<UsersApi>().users[':id']
const ordersApi = adminClient<OrdersApi>()

export function clientLoader({ params, request }: Route.ClientLoaderArgs) {
  const after = new URL(request.url).searchParams.get('after') ?? undefined
  const query: OrderListRequest = { user_id: params.id, after }
  return load('Failed to fetch user data', async () => {
    const orders = responseOf(ordersApi.purchases.$get({ query }))
    orders.catch(() => undefined)
    const user = await responseOf(account.$get({ param: params }))
    return { user, bought: await orders }
  })
}

const failed = 'Couldn’t save the change'

export default function UserPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData) return <Failed title="The account could not be loaded" />
  const { user, bought } = loaderData
  return (
    <div className="grid grid-cols-1 gap-6">
      <NeighborLinks label="Readers" path="/admin/users" neighbors={user.neighbors} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 className="min-w-0 text-xl font-semibold break-words">
          {user.display_name || readableAddress(user.email) || 'Unknown User'}
        </h2>
        <RoleBadge roles={user.roles} />
        {user.is_disabled && !user.is_erased && <Badge look="danger">disabled</Badge>}
        <p className="w-full break-words text-soft">
          {user.is_erased ? 'Erased' : describe(user)}
          {user.factors > 0 && <span>{' · signs in with a second factor'}</span>}
          <span> · joined {formatDate(user.created_at)}</span>
        </p>
      </div>
      <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <StatCard
          name="Orders"
          value={formatCount(user.total_purchases)}
          hint={bought.items.some(({ is_test }) => is_test) && 'Test orders are not counted'}
        />
        <StatCard name="Total Spent" value={<Money amount={user.total_spent} />} />
        <StatCard name="Last Order" value={user.last_purchase ? formatDate(user.last_purchase) : 'Never'} />
        <StatCard
          name="Active Sessions"
          value={formatCount(user.sessions)}
          hint={user.last_sign_in_at && `Last sign-in ${formatMoment(user.last_sign_in_at)}`}
        />
      </dl>
      <TableCard
        title="Orders"
        page={bought}
        failed="The orders could not be loaded"
        empty={<p className="px-5 py-4 text-soft">Nothing was bought yet.</p>}
        label="Orders"
        rowKey={({ id }) => id}
        columns={ownOrderColumns}
      />
      {user.is_erased ? (
        <p className="text-soft">
          This account was erased. It stays because its orders belong to the accounts of the shop. Nobody can
          sign in to it.
        </p>
      ) : (
        <>
          <Roles user={user} />
          <AddressChange user={user} />
          <Account user={user} />
        </>
      )}
    </div>
  )
}

/**
 * Leaves out the address where it stands for the name. An account that an author's free copy or an admin has made counts as
 * confirmed, but its owner has proved nothing before the first sign-in.
 */
function describe({ display_name, email, is_verified, last_sign_in_at }: UserDetail): string {
  const address = display_name ? readableAddress(email) || 'No email' : ''
  const proof = last_sign_in_at ? 'verified' : 'never signed in'
  return [address, is_verified ? proof : 'not verified'].filter(Boolean).join(' · ')
}

const otherPassword =
  'If somebody else chose its password, the account is signed out, and its owner gets an email to choose one.'

const powers: Record<Role, string> = {
  admin: 'Sees everything in the admin area and may change it, accounts included.',
  moderator: 'Shows a badge in the list of readers, and gives no further rights.',
  user: 'Gives no rights: every account may buy and read.',
}

const powerOf = (role: Role) => (role === 'admin' ? `${powers.admin} ${otherPassword}` : powers[role])

/** A moderator may do no more than others: the role is shown where it is, and not offered. */
function Roles({ user }: { user: UserDetail }) {
  const id = user.user_id
  const name = user.display_name || user.email
  const shown = roles.filter((role) => role !== 'moderator' || user.roles.includes(role))
  return (
    <Card title="Roles">
      <ul className="divide-y divide-line">
        {shown.map((role) => {
          const has = user.roles.includes(role)
          return (
            <li key={role} className="flex flex-wrap items-center justify-between gap-3 px-5 py-3">
              <div>
                <p className="font-semibold capitalize">{role}</p>
                <p className="text-sm text-soft">{powers[role]}</p>
              </div>
              <CallButton
                label={has ? 'Remove' : 'Give'}
                name={`${has ? 'Remove' : 'Give'} the role ${role}`}
                question={{
                  title: has ? `Remove the role ${role}?` : `Make ${name} ${role}?`,
                  action: has ? 'Remove' : 'Give the role',
                  isDanger: has,
                }}
                call={() =>
                  account.roles[':role'][has ? '$delete' : '$put']({ param: { id, role }, json: {} })
                }
                done={{ title: has ? 'Role Removed' : 'Role Given' }}
                failed={failed}
              >
                {has ? `${name} loses it immediately.` : powerOf(role)}
              </CallButton>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}

const offered = () =>
  mailedNotice(
    { title: 'Email Sent' },
    { title: 'Email saved', description: 'Email is not set up, so it was not sent.' },
  )

function Account({ user }: { user: UserDetail }) {
  const param = { id: user.user_id }
  const verified = { title: 'Verification Sent' }
  return (
    <Card title="Account" contentClass="flex flex-wrap gap-3 px-5 py-4">
      {!user.is_verified && (
        <CallButton
          label="Send the verification again"
          call={() => account.verification.$post({ param })}
          done={() =>
            mailedNotice(verified, {
              title: 'Verification saved',
              description: 'Email is not set up, so it was not sent.',
            })
          }
          failed={failed}
        />
      )}
      {!user.roles.includes('admin') && (
        <>
          <CallButton
            label="Email a link to their data"
            call={() => account['data-offer'].$post({ param })}
            done={offered}
            failed={failed}
          />
          <CallButton
            label="Send a link to erase the account"
            question={{ title: 'Send a link to erase the account?', action: 'Send the email' }}
            call={() => account['erasure-offer'].$post({ param })}
            done={offered}
            failed={failed}
          >
            For readers who asked you to erase their data. They get an email that leads to their account page,
            where they confirm it. Nothing is erased before that, nor in the 14 days after it.
          </CallButton>
        </>
      )}
      <CallButton
        label="Sign out everywhere"
        disabled={user.sessions === 0}
        question={{ title: 'Sign out everywhere?', action: 'Sign out', isDanger: true }}
        call={() => account.sessions.$delete({ param, json: {} })}
        done={{ title: 'Signed Out Everywhere' }}
        failed={failed}
      >
        Every browser and device has to sign in again. Orders stay as they are.
      </CallButton>
      {user.factors > 0 && (
        <ProofButton
          label="Reset the second factor"
          action="Reset"
          busyLabel="Resetting..."
          call={() => account['factor-reset'].$post({ param, json: {} })}
          done="Second Factor Reset"
          failed="Couldn’t reset"
        >
          {user.display_name || user.email} can then sign in with the password alone, is signed out everywhere
          and is notified by email. Do this only when you are sure who asks for it.
        </ProofButton>
      )}
      {user.is_disabled ? (
        <CallButton
          label="Enable the account"
          call={() => account.disabled.$put({ param, json: { is_disabled: false } })}
          done={{ title: 'Account Enabled' }}
          failed={failed}
        />
      ) : (
        <CallButton
          label="Disable the account"
          question={{ title: 'Disable this account?', action: 'Disable', isDanger: true }}
          call={() => account.disabled.$put({ param, json: { is_disabled: true } })}
          done={{ title: 'Account Disabled' }}
          failed={failed}
        >
          It is signed out everywhere and cannot sign in until you enable it again. Nothing is deleted.
        </CallButton>
      )}
    </Card>
  )
}
