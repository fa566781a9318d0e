// Refusals of the accounts. Codes that begin with "auth." are GoTrue's own, so that its clients know them.
import { passwordTooShort } from '#platform/contract/password-length.ts'
import type { Refusals } from '#platform/contract/problems.ts'

export const accountRefusals = {
  'access.signed_out': [401, 'Please sign in to continue.'],
  'access.forbidden': [403, "You don't have admin privileges."],
  'auth.validation_failed': [400, 'The request could not be read.'],
  'auth.invalid_credentials': [400, 'Invalid login credentials'],
  'auth.email_not_confirmed': [400, 'Email not confirmed'],
  'auth.user_banned': [403, 'This account is disabled.'],
  'auth.weak_password': [422, passwordTooShort()],
  'auth.common_password': [
    422,
    'This is one of the 10,000 most common passwords, which admins may not have. Choose another: "Forgot password?" sends you a link.',
  ],
  'auth.same_password': [422, 'The new password must differ from the old one.'],
  'auth.otp_expired': [403, 'This link has expired or was already used. Ask for a new one.'],
  'auth.no_authorization': [401, 'This call needs an access token.'],
  'auth.bad_jwt': [403, 'The access token is not valid.'],
  'auth.session_not_found': [403, 'The session has ended. Please sign in again.'],
  'auth.session_expired': [400, 'The session has expired. Please sign in again.'],
  'auth.refresh_token_not_found': [400, 'Invalid Refresh Token: Refresh Token Not Found'],
  'auth.refresh_token_already_used': [400, 'Invalid Refresh Token: Already Used'],
  'auth.over_request_rate_limit': [429, 'Too many attempts. Please wait a little and try again.'],
  'auth.over_email_send_rate_limit': [
    429,
    'Too many emails were asked for. Please wait a little and try again.',
  ],
  'auth.mfa_factor_not_found': [404, 'This second factor does not exist.'],
  'auth.mfa_factor_name_conflict': [422, 'A second factor with this name already exists.'],
  'auth.mfa_challenge_expired': [422, 'The code was asked for too long ago. Please try again.'],
  'auth.mfa_verification_failed': [422, 'The code is not right.'],
  'auth.too_many_enrolled_mfa_factors': [422, 'This account has as many second factors as it may have.'],
  'auth.mfa_recovery_codes_sole_factor': [422, 'Add a second factor first: recovery codes stand in for it.'],
  'auth.mfa_verified_factor_exists': [422, 'You have recovery codes already. You can replace them.'],
  'auth.insufficient_aal': [403, 'Please confirm with your second factor first.'],
  /** auth-js takes a 401, 403 or 404 of a sign-out for success. */
  'auth.sign_out_insufficient_aal': [400, 'Please confirm with your second factor first.'],
  'auth.reauthentication_needed': [400, 'Please sign in again to change this.'],
  'auth.email_exists': [422, 'An account with this email address already exists.'],
  'auth.request_timeout': [503, 'The shop is busy. Please try again in a moment.'],
} as const satisfies Refusals
