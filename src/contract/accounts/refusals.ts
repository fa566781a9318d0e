// Refusals of the accounts. Codes that begin with "auth." are GoTrue's own, so that its clients know them.
import { outages } from '#words/site.ts'
import { refusals } from '#words/refusals.ts'
import { passwordTooShort } from '../field-rules.ts'
import type { Refusals } from '../problems.ts'

export const accountRefusals = {
  'access.signed_out': [401, refusals['access.signed_out']],
  'access.factor_needed': [
    403,
    'Admins of this shop need a second factor. Add one on the page “Your account” first.',
  ],
  'auth.validation_failed': [400, refusals['auth.validation_failed']],
  'auth.invalid_credentials': [400, refusals['auth.invalid_credentials']],
  'auth.email_not_confirmed': [400, refusals['auth.email_not_confirmed']],
  'auth.user_banned': [403, refusals['auth.user_banned']],
  'auth.weak_password': [422, passwordTooShort()],
  'auth.common_password': [
    422,
    'This is one of the 10,000 most common passwords, which admins may not have. Choose another: "Forgot password?" sends you a link.',
  ],
  'auth.same_password': [422, refusals['auth.same_password']],
  'auth.otp_expired': [403, refusals['auth.otp_expired']],
  'auth.no_authorization': [401, 'This call needs an access token.'],
  'auth.bad_jwt': [403, 'The access token is not valid.'],
  'auth.session_not_found': [403, refusals['auth.session_not_found']],
  'auth.session_expired': [400, refusals['auth.session_expired']],
  'auth.refresh_token_not_found': [400, 'Invalid Refresh Token: Refresh Token Not Found'],
  'auth.refresh_token_already_used': [400, 'Invalid Refresh Token: Already Used'],
  'auth.over_request_rate_limit': [429, refusals['auth.over_request_rate_limit']],
  'auth.over_email_send_rate_limit': [429, refusals['auth.over_email_send_rate_limit']],
  'auth.mfa_factor_not_found': [404, refusals['auth.mfa_factor_not_found']],
  'auth.mfa_factor_name_conflict': [422, refusals['auth.mfa_factor_name_conflict']],
  'auth.mfa_challenge_expired': [422, refusals['auth.mfa_challenge_expired']],
  'auth.mfa_verification_failed': [422, refusals['auth.mfa_verification_failed']],
  'auth.too_many_enrolled_mfa_factors': [422, refusals['auth.too_many_enrolled_mfa_factors']],
  'auth.mfa_recovery_codes_sole_factor': [422, refusals['auth.mfa_recovery_codes_sole_factor']],
  'auth.mfa_verified_factor_exists': [422, refusals['auth.mfa_verified_factor_exists']],
  'auth.webauthn_challenge_expired': [400, refusals['auth.webauthn_challenge_expired']],
  'auth.webauthn_verification_failed': [400, refusals['auth.webauthn_verification_failed']],
  'auth.webauthn_credential_exists': [422, refusals['auth.webauthn_credential_exists']],
  'auth.webauthn_other_address': [422, refusals['auth.webauthn_other_address']],
  'auth.insufficient_aal': [403, refusals['auth.insufficient_aal']],
  /** auth-js takes a 401, 403 or 404 of a sign-out for success. */
  'auth.sign_out_insufficient_aal': [400, refusals['auth.sign_out_insufficient_aal']],
  'auth.reauthentication_needed': [400, refusals['auth.reauthentication_needed']],
  'auth.email_exists': [422, refusals['auth.email_exists']],
  'auth.request_timeout': [503, outages['auth.request_timeout']],
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
  'users.erased': [409, 'This account was erased. It only stands for its purchases now.'],
} as const satisfies Refusals
