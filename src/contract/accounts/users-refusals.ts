import { refusals } from '#words/refusals.ts'
import type { Refusals } from '../problems.ts'

export const userRefusals = {
  'users.not_found': [404, 'There is no such account.'],
  'users.last_admin': [
    409,
    'This is the last admin who has a password or a passkey. Make another user admin first; whoever is invited has to choose a password.',
  ],
  'users.oneself': [409, 'You cannot disable your own account.'],
  'users.password_unproven': [
    409,
    'Another person may know the password of this account, so it ends when the account becomes admin, and its owner is mailed a link to choose one. No mail server is set up: set one up first, or create an admin with another address.',
  ],
  'users.no_factor': [409, 'This account has no second factor.'],
  'users.offer_to_admin': [
    409,
    'An admin finds their own data on the account page, and is not erased while being admin.',
  ],
  'users.address_of_admin': [
    409,
    'The address of an admin’s account is confirmed from its own mailboxes only.',
  ],
  'users.no_address_change': [409, 'This change is not waiting any more. Please load the page again.'],
  'users.already_verified': [409, 'This email address is verified already.'],
  'accounts.email_taken': [409, refusals['accounts.email_taken']],
} as const satisfies Refusals
