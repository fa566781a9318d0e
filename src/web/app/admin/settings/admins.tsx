// The settings screen of admins: who is one, and who becomes one.
import type { AdminsApi } from '#domains/accounts/admins.ts'
import { adminRequest, type AdminAdded, type AdminAccount } from '#contract/accounts/users.ts'
import { responseOf } from '../../../api.ts'
import { SchemaForm } from '../../schema-form.tsx'
import { mailedNotice } from '../../../notices/mail-notice.ts'
import type { Toast } from '../../../notices/toasts.tsx'
import { CallButton, useAdminCall, adminClient, load } from '../calls.tsx'
import type { UsersApi } from '#domains/accounts/users.routes.ts'
import { NameLink } from '../links.tsx'
import { readableAddress } from '../readable-address.ts'
import { Badge } from '../../../components/note.tsx'
import { Card, LoadFailed } from '../../card.tsx'
import { formatMoment } from '../../../format/format.tsx'
import type { Route } from './+types/admins.ts'

const api = adminClient<AdminsApi>('Save')

const outcomes: Record<AdminAdded['outcome'], (email: string) => { title: string; description: string }> = {
  invited: (email) => ({
    title: 'Admin invited',
    description: `An email with a link goes to ${email}.`,
  }),
  granted: (email) => ({ title: 'Admin added', description: `${email} is admin now.` }),
  unchanged: (email) => ({ title: 'Nothing changed', description: `${email} is admin already.` }),
}

function unsentInvitation(email: string): Toast {
  return {
    title: 'Admin invited',
    description: `Email is not set up, so ${email} was not told. Set it up, and invite ${email} again.`,
  }
}

const adminForm = adminRequest.omit({ current_password: true })

function addedNotice(outcome: AdminAdded['outcome'], email: string): Toast | Promise<Toast> {
  const notice = outcomes[outcome](email)
  return outcome === 'invited' ? mailedNotice(notice, unsentInvitation(email)) : notice
}

const usersApi = adminClient<UsersApi>()

export function clientLoader() {
  return load('Failed to fetch user data', () => responseOf(api.admins.$get()))
}

export default function Admins({ loaderData: found }: Route.ComponentProps) {
  if (!found) return <LoadFailed card="Admins" title="The admins could not be loaded" />
  return (
    <div className="grid gap-6">
      <Card title="Admins">
        <p className="max-w-prose px-5 pt-5 text-pretty text-soft">
          They see everything in the admin area and may change it: orders, money, settings and each other.
        </p>
        <ul className="mt-4 divide-y divide-line border-t border-line">
          {found.items.map((admin) => (
            <Admin key={admin.user_id} admin={admin} isLast={found.items.length === 1} />
          ))}
        </ul>
      </Card>
      <AddAdmin />
    </div>
  )
}

function Admin({ admin, isLast }: { admin: AdminAccount; isLast: boolean }) {
  const { user_id, email, display_name, last_sign_in_at, is_disabled, has_second_factor } = admin
  const param = { id: user_id, role: 'admin' } as const
  const signIn = last_sign_in_at ? `Last sign-in ${formatMoment(last_sign_in_at)}` : 'Has not signed in yet'
  const factor = has_second_factor ? 'with a second factor' : 'no second factor'
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-5 py-3">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2">
          <NameLink to={`/admin/users/${user_id}`} className="break-all">
            {readableAddress(email)}
          </NameLink>
          {is_disabled && <Badge look="danger">disabled</Badge>}
        </p>
        <p className="text-sm break-words text-soft">
          {[display_name, signIn, last_sign_in_at && factor].filter(Boolean).join(' · ')}
        </p>
      </div>
      {isLast ? (
        <p className="text-sm text-soft">The last admin cannot be removed.</p>
      ) : (
        <CallButton
          label="Remove"
          name={`Remove ${email}`}
          question={{ title: 'Remove this admin?', action: 'Remove', isDanger: true }}
          call={() => usersApi.users[':id'].roles[':role'].$delete({ param, json: {} })}
          done={{ title: 'Admin removed' }}
          failed="Couldn’t remove"
        >
          {email} loses access to the admin area immediately. The account and its purchases stay.
        </CallButton>
      )}
    </li>
  )
}

function AddAdmin() {
  const [, run] = useAdminCall()
  return (
    <Card title="Add an admin">
      <SchemaForm
        schema={adminForm}
        fields={{
          email: {
            label: 'Email address',
            hint: 'Anyone who already has an account becomes an admin right away. Anybody else gets an account, and an email with a link to choose a password. The same address again sends the link again.',
          },
        }}
        className="p-5"
        button="Add"
        busyButton="Adding..."
        send={(json) =>
          run(() => responseOf(api.admins.$post({ json })), {
            done: ({ outcome }) => addedNotice(outcome, json.email),
            failed: 'Couldn’t add the admin',
          })
        }
      />
    </Card>
  )
}
