// The list of sign-ins that failed, and of changes of accounts.
import { Time } from '../../../format/format.tsx'
import { ShieldCheck } from '../../../components/icons.tsx'
import { Link } from 'react-router'
import {
  securityEventKinds,
  type SecurityEvent,
  type SecurityEventsRequest,
  securityEventDays,
} from '#contract/accounts/users.ts'
import type { SecurityEventsApi } from '#domains/accounts/security-events.routes.ts'
import { responseOf } from '../../../api.ts'
import { formatNetwork } from '../cells.tsx'
import { adminClient } from '../calls.tsx'
import { TextLink } from '../links.tsx'
import { KeptFor } from './kept-for.tsx'
import { defineList } from '../list-screen.tsx'

const api = adminClient<SecurityEventsApi>()

const titles: Record<string, string> = {
  sign_in_failed: 'Sign-in failed',
  sign_in_blocked: 'Sign-in blocked: too many attempts',
  wrong_code: 'Wrong code of a second factor',
  wrong_password: 'Wrong current password',
  refresh_token_reused: 'Session ended: its token was used twice',
  password_changed: 'Password changed',
  email_change_asked: 'Change of the email address asked for',
  email_change_confirmed: 'Change of the email address confirmed by one mailbox',
  email_changed: 'Email address changed',
  factor_added: 'Second factor added',
  factor_removed: 'Second factor removed',
  passkey_added: 'Passkey added',
  passkey_removed: 'Passkey removed',
  factors_reset: 'Second factor reset by an admin',
  password_link_made: 'Link to a new password made on the shop’s machine',
  recovery_codes_made: 'Recovery codes made',
  recovery_code_used: 'Recovery code used',
  other_sessions_ended: 'Other devices signed out',
  session_ended: 'One device signed out',
  sessions_ended_by_admin: 'Signed out by an admin',
  data_taken: 'Own data opened',
  erasure_asked: 'Erasure asked for',
  erasure_canceled: 'Erasure taken back',
  role_granted: 'Role granted',
  role_revoked: 'Role revoked',
  password_ended: 'Password chosen by another person ended',
  account_made_by_hand: 'Account created',
  account_disabled: 'Account disabled',
  account_enabled: 'Account enabled',
} satisfies Record<(typeof securityEventKinds)[number], string>

const list = defineList({
  title: 'Sign-ins and accounts',
  load: (query: SecurityEventsRequest) => responseOf(api['security-events'].$get({ query })),
  failed: 'Failed to fetch the security events',
  notLoaded: 'The security events could not be loaded',
  search: { label: 'Search security events', placeholder: 'Email or network address...' },
  filters: [
    {
      label: 'Kind',
      name: 'kind',
      all: 'All events',
      options: securityEventKinds.map((value) => ({ value, label: titles[value] ?? value })),
    },
  ],
  empty: {
    icon: ShieldCheck,
    title: 'No security events yet',
    text: 'Refused sign-ins, and changes of passwords, addresses, second factors and roles are listed here.',
  },
  about: () => (
    <KeptFor>
      <span>An entry is kept for {securityEventDays} days.</span> Sign-ins that worked are not listed:{' '}
      <TextLink to="/account">your account</TextLink> says where you are signed in, and the page of each
      account under <TextLink to="/admin/users">Readers</TextLink> has the last sign-in.
    </KeptFor>
  ),
  emptySearch: { title: 'Nothing found' },
  row: (event) => <Event key={event.id} event={event} />,
})

export const clientLoader = list.clientLoader
export default list.Screen

function titleOf({ kind, detail: { by } }: SecurityEvent): string {
  const title = titles[kind] ?? kind
  if (kind !== 'account_made_by_hand') return title
  return `${title} by ${typeof by === 'string' ? `the ${by}` : 'an admin'}`
}

function Event({ event }: { event: SecurityEvent }) {
  const { user_id, email, ip, attempts, created_at } = event
  const { role } = event.detail
  return (
    <li className="px-5 py-3">
      <p className="break-words">
        <span className="font-semibold">{titleOf(event)}</span>
        {typeof role === 'string' && <span>{` (${role})`}</span>}
        {attempts > 1 && <span className="tabular-nums"> · {attempts} times within an hour</span>}
      </p>
      <p className="text-sm break-words text-soft tabular-nums">
        {user_id ? (
          <Link to={`/admin/users/${user_id}`} className="underline underline-offset-4 hover:text-ink">
            {email ?? 'No email'}
          </Link>
        ) : (
          <span>{email ?? 'Several addresses'}</span>
        )}
        <span>
          {' · '}
          <Time at={created_at} />
        </span>
        {ip && <span>{` · from ${formatNetwork(ip)}`}</span>}
      </p>
    </li>
  )
}
