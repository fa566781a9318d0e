// Every refusal the server can give: its code, the HTTP status and the words a client may show.
// The only table from code to status. Codes that begin with "auth." are GoTrue's own, so that its clients know them.
import { z } from 'zod'

const refusals = {
  'request.invalid': [422, 'Some fields need your attention.'],
  'request.malformed': [400, 'The request could not be read.'],
  'request.too_large': [413, 'The request is larger than this shop accepts.'],
  'request.address_too_long': [414, 'This address is longer than this shop accepts.'],
  'request.unsupported_type': [415, 'The request body must be JSON.'],
  'request.rate_limited': [429, 'Too many attempts. Please wait a little and try again.'],
  'request.not_found': [404, 'There is nothing at this address.'],
  'server.unavailable': [503, 'The shop is briefly unavailable. Please try again in a moment.'],
  'server.full': [503, 'The shop has no room left to store anything. Its owner has to make some first.'],
  'server.bug': [500, 'An unexpected error occurred.'],

  'access.signed_out': [401, 'Please sign in to continue.'],
  'access.forbidden': [403, "You don't have admin privileges."],

  'products.not_found': [404, 'This product is no longer for sale.'],
  'products.not_a_bundle': [422, 'A bundle holds single products that exist, and nothing else does.'],
  'products.no_download': [422, 'A book on paper has no download, so it takes no file.'],
  'messages.not_found': [404, 'This message is not there any more.'],
  'uploads.not_found': [404, 'This upload is not there, or not whole. Please upload the file again.'],
  'uploads.not_an_ebook': [422, 'Please upload a PDF, EPUB, or MOBI file.'],
  'uploads.too_complex': [
    422,
    'This file is more complex than a book needs, so it could not be checked. Please export the book again and upload the new file.',
  ],
  'uploads.busy': [503, 'Other files are being checked. Please try again in a moment.'],
  'uploads.not_a_picture': [422, 'Please choose a JPEG, PNG or WebP picture.'],
  'purchases.not_found': [404, 'We could not find that purchase.'],
  'purchases.key_reused': [
    409,
    'This purchase was already sent with other contents. Reload the page and try again.',
  ],
  'purchases.not_completed': [409, 'This purchase is not completed, so it has no download.'],
  'purchases.checkout_ended': [
    409,
    'This checkout has ended. Please press the button again to start a new one.',
  ],
  'purchases.not_refundable': [409, 'This purchase cannot be refunded any more. Please write to the author.'],
  'purchases.address_needed': [422, 'Please tell us where to send it.'],
  'shipments.not_found': [404, 'There is nothing to ship for this purchase.'],
  'shipments.already_shipped': [409, 'It is on its way already, so its address cannot be changed any more.'],
  'shipments.not_due': [409, 'This purchase is not paid for any more, so it is not shipped.'],
  'shipments.not_shipped': [409, 'It has not been shipped yet.'],
  'shipments.too_late_to_undo': [
    409,
    'It was shipped more than a week ago, so this can no longer be undone.',
  ],
  'shipments.country_not_served': [422, 'We do not ship to this country.'],
  'purchases.not_paid': [409, 'Nothing was paid for this purchase, so it has no receipt.'],
  'purchases.refund_too_large': [422, 'That is more than is left of this purchase.'],
  'purchases.refunded_meanwhile': [
    409,
    'Money has gone back since this page was loaded. Please look at what is left.',
  ],
  'payments.unavailable': [503, 'The payment service cannot be reached. Please try again in a moment.'],
  'payments.not_available': [503, 'Payments are not available at the moment. Please try again later.'],
  'payments.refused': [
    409,
    'The payment service does not take this order, so nothing was charged. Please write to the author.',
  ],
  'payments.bad_signature': [400, 'This message is not signed by the payment provider.'],
  'payments.thin_event': [
    400,
    'This is a thin event of API v2, which this shop does not read. At Stripe, make a webhook endpoint for this address with the payload style “snapshot” and events of API v1.',
  ],
  'payments.not_waiting': [409, 'This does not wait for you any more.'],
  'payments.not_acceptable': [
    409,
    'Stripe does not have this as a payment in dollars for this purchase, so it cannot be accepted. Give the money back instead.',
  ],
  'payments.nothing_paid': [
    409,
    'Stripe has no payment for this purchase, so there is nothing to give back.',
  ],
  'mails.too_old': [410, 'This mail is too old to be sent again.'],
  'payments.not_set': [404, 'This shop takes no payments.'],
  'downloads.unavailable': [404, 'This product is not available for download'],
  'downloads.link_expired': [
    410,
    'This download link has expired. Start the download again from your dashboard.',
  ],
  'downloads.session_ended': [
    403,
    'This link has ended with the session that asked for it. Please sign in and start the download again.',
  ],
  'contact.not_accepted': [422, 'This message could not be accepted.'],

  'users.not_found': [404, 'There is no such account.'],
  'users.last_admin': [409, 'This is the last admin. Make somebody else admin first.'],
  'users.oneself': [409, 'You cannot disable your own account.'],
  'users.no_factor': [409, 'This account has no second factor.'],
  'users.already_verified': [409, 'This e-mail address is verified already.'],
  'accounts.email_taken': [409, 'An account with this e-mail address already exists.'],

  'auth.validation_failed': [400, 'The request could not be read.'],
  'auth.invalid_credentials': [400, 'Invalid login credentials'],
  'auth.email_not_confirmed': [400, 'Email not confirmed'],
  'auth.user_banned': [403, 'This account is disabled.'],
  'auth.weak_password': [422, 'Password must be at least 6 characters long.'],
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
    'Too many e-mails were asked for. Please wait a little and try again.',
  ],
  'auth.mfa_factor_not_found': [404, 'This second factor does not exist.'],
  'auth.mfa_factor_name_conflict': [422, 'A second factor with this name already exists.'],
  'auth.mfa_challenge_expired': [422, 'The code was asked for too long ago. Please try again.'],
  'auth.mfa_verification_failed': [422, 'The code is not right.'],
  'auth.too_many_enrolled_mfa_factors': [422, 'This account has as many second factors as it may have.'],
  'auth.insufficient_aal': [403, 'Please confirm with your second factor first.'],
  /** auth-js takes a 401, 403 or 404 of a sign-out for success. */
  'auth.sign_out_insufficient_aal': [400, 'Please confirm with your second factor first.'],
  'auth.reauthentication_needed': [400, 'Please sign in again to change this.'],
  'auth.email_exists': [422, 'An account with this e-mail address already exists.'],
  'auth.request_timeout': [503, 'The shop is busy. Please try again in a moment.'],
} as const satisfies Record<string, readonly [status: number, detail: string]>

export type ProblemCode = keyof typeof refusals

export const problemCodes = Object.keys(refusals) as ProblemCode[]

export function problemStatus(code: ProblemCode): number {
  return refusals[code][0]
}

export function problemDetail(code: ProblemCode): string {
  return refusals[code][1]
}

/** RFC 9457 problem document, as every refusal of `/api` is answered. `fields` maps a field's name to what is wrong with it. */
export const problemDocument = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  code: z.string(),
  fields: z.record(z.string(), z.string()).optional(),
  request_id: z.string(),
})
export type ProblemDocument = z.infer<typeof problemDocument>
