// The reasons why a call of a visitor or reader is refused, by the code of the refusal.
import { outagesTexts } from './site.ts'
import { defineTexts, fill, forCount } from './texts.ts'

/** English: what the contracts name, beside what only admins and programs can meet. */
export const refusals = {
  'request.invalid': 'Some fields need your attention.',
  'request.malformed': 'The request could not be read.',
  'request.too_large': 'The request is larger than this shop accepts.',
  'request.address_too_long': 'This address is longer than this shop accepts.',
  'request.rate_limited': 'Too many attempts. Please wait a little and try again.',
  'request.not_found': 'There is nothing at this address.',
  'server.full': 'The shop has no room left to store anything. Its owner has to make some first.',
  'server.bug': 'An unexpected error occurred.',
  'payments.unavailable': 'The payment service cannot be reached. Please try again in a moment.',
  'payments.not_available': 'Payments are not available at the moment. Please try again later.',
  'access.signed_out': 'Please sign in to continue.',
  'access.forbidden': "You don't have admin privileges.",
  'auth.validation_failed': 'The request could not be read.',
  'auth.invalid_credentials': 'Invalid login credentials',
  'auth.email_not_confirmed': 'Email not confirmed',
  'auth.user_banned': 'This account is disabled.',
  'auth.same_password': 'The new password must differ from the old one.',
  'auth.otp_expired': 'This link has expired or was already used. Ask for a new one.',
  'auth.session_not_found': 'The session has ended. Please sign in again.',
  'auth.session_expired': 'The session has expired. Please sign in again.',
  'auth.over_request_rate_limit': 'Too many attempts. Please wait a little and try again.',
  'auth.over_email_send_rate_limit': 'Too many emails were asked for. Please wait a little and try again.',
  'auth.mfa_factor_not_found': 'This second factor does not exist.',
  'auth.mfa_factor_name_conflict': 'A second factor with this name already exists.',
  'auth.mfa_challenge_expired': 'The code was asked for too long ago. Please try again.',
  'auth.mfa_verification_failed': 'The code is not right.',
  'auth.too_many_enrolled_mfa_factors': 'This account has as many second factors as it may have.',
  'auth.mfa_recovery_codes_sole_factor': 'Add a second factor first: recovery codes stand in for it.',
  'auth.mfa_verified_factor_exists': 'You have recovery codes already. You can replace them.',
  'auth.webauthn_challenge_expired': 'The passkey was asked for too long ago. Please try again.',
  'auth.webauthn_verification_failed': 'This passkey does not fit an account here.',
  'auth.webauthn_credential_exists': 'This passkey belongs to an account already.',
  'auth.webauthn_other_address':
    'Your passkeys belong to the old address of this shop. Please use a recovery code or an authenticator app.',
  'auth.insufficient_aal': 'Please confirm with your second factor first.',
  'auth.sign_out_insufficient_aal': 'Please confirm with your second factor first.',
  'auth.reauthentication_needed': 'Please sign in again to change this.',
  'auth.email_exists': 'An account with this email address already exists.',
  'erasures.of_admin': 'An admin’s account is not erased. Ask another admin to end your admin rights first.',
  'discounts.not_valid': 'This code is not valid, or not any more.',
  'discounts.paused':
    'This code is paused for the moment. Nothing was bought. Please try again later, or write to the author.',
  'discounts.other_product': 'This code is not for this product.',
  'discounts.used_up': 'This code was used as often as it can be. Nothing was bought.',
  'discounts.too_small': 'With this code the price would be less than can be charged.',
  'downloads.unavailable': 'This product is not available for download',
  'downloads.lost':
    'This file was lost, and the author has been asked to upload it again. You can download it here as soon as it is back.',
  'downloads.not_released': 'This is not out yet. It can be downloaded from the day of its release.',
  'downloads.link_expired': 'This download link has expired. Start the download again from your dashboard.',
  'downloads.session_ended':
    'This link has ended with the session that asked for it. Please sign in and start the download again.',
  'guest_checkout.not_offered': 'Please sign in to buy this.',
  'guest_checkout.nothing_to_pay':
    'Nothing is to be paid for this, so the shop first has to know that the address is yours. Please sign in or create an account with it.',
  'guest_checkout.address_unproven':
    'Nothing is to be paid for this, so the shop first has to know that the address is yours, and it sends no email yet. If you have an account, please sign in; if not, please write to the author with the contact form.',
  'guest_checkout.too_many_reservations':
    'As many orders of limited copies, or with a limited code, as one network may have are already waiting to be paid from yours. Please pay one of them, try again later, or sign in to buy.',
  'guest_checkout.other_browser':
    'Only the browser in which this was bought can do that, for a day after the payment.',
  'guest_checkout.address_corrected':
    'The address was corrected already, which is possible once. Please write to the author.',
  'guest_checkout.address_refused': 'The order cannot be put under this address. Please write to the author.',
  'guest_checkout.access_ended':
    'This access has ended. Sign in with the address that you bought with to see your purchase.',
  'excerpt.not_offered': 'There is no excerpt here at present.',
  'excerpt.link_over': 'This link to the excerpt does not work any more.',
  'excerpt.removed': 'The author has removed the excerpt.',
  'excerpt.used_up': 'This link has given the file as often as it can. You can ask for the excerpt anew.',
  'letters.not_offered': 'The author of this shop sends no letters.',
  'letters.changed': 'The words about the letters have changed. Please load the page again.',
  'letters.link_over': 'This link does not work any more.',
  'contact.not_accepted': 'This message could not be accepted.',
  'payments.refused':
    'The payment service does not take this order, so nothing was charged. Please write to the author.',
  'products.not_found': 'This product is no longer for sale.',
  'purchase_gifts.not_givable':
    'This copy cannot be given away: it was downloaded already, or it is not paid for any more.',
  'purchase_gifts.given':
    'This copy is given already. As long as the gift is not opened, you can take it back and give it anew.',
  'purchase_gifts.own_address':
    'This is your own address. Please enter the address of the person you give it to.',
  'purchase_gifts.no_mail': 'This shop sends no email at the moment, so it cannot send your gift.',
  'purchase_gifts.opened': 'The gift was opened, so it belongs to its recipient now.',
  'purchase_gifts.not_given': 'This copy is not given to anybody.',
  'purchase_gifts.too_late': 'Please choose a day within a year.',
  'purchase_gifts.too_many':
    'This copy was sent as a gift six times, which is as often as possible. You can still read it yourself.',
  'purchase_gifts.too_soon': 'The email was sent a few minutes ago. Please wait ten minutes.',
  'purchase_gifts.link_over': 'This link does not work any more.',
  'releases.not_awaited':
    'There is nothing to wait for: it is out, or this shop sends no email at the moment.',
  'releases.link_over': 'This link does not work any more.',
  'purchase_moves.link_over': 'This link does not work any more.',
  'withdrawals.link_over': 'This link does not work any more.',
  'withdrawals.not_offered':
    'This shop takes no payments, so there is no contract to withdraw from. Please write to the author if you have questions.',
  'purchases.not_found': 'We could not find that purchase.',
  'purchases.not_for_sale': 'The book cannot be bought yet. It will be available soon.',
  'purchases.key_reused':
    'This purchase was already sent with other contents. Reload the page and try again.',
  'purchases.not_completed': 'This purchase is not completed, so it has no download.',
  'purchases.checkout_ended': 'This checkout has ended. Please press the button again to start a new one.',
  'purchases.not_refundable': 'This purchase cannot be refunded any more. Please write to the author.',
  'purchases.address_needed': 'Please tell us where to send it.',
  'purchases.consent_needed':
    'Please agree to instant delivery first. If you did, its words have changed: reload the page, and press the button under the format again.',
  'purchases.not_paid': 'Nothing was paid for this purchase, so it has no receipt.',
  'setup.link_invalid':
    'This setup link is not valid, or older than a day. The command “lectern admin setup-link” prints a new one.',
  'setup.finished': 'This shop has an admin already. Please sign in.',
  'shipments.not_found': 'There is nothing to ship for this purchase.',
  'shipments.already_shipped': 'It is on its way already, so its address cannot be changed any more.',
  'shipments.not_due': 'This purchase is not paid for any more, so it is not shipped.',
  'shipments.country_needed':
    'Please say first to which country it goes: the price of shipping depends on it. Reload the page and press the button again.',
  'purchases.seller_changed':
    'Who sells this file has changed. Nothing was bought: please load the page again, which says who sells it now.',
  'shipments.price_changed': 'The price of shipping has changed. Nothing was bought.',
  'shipments.other_country':
    'Shipping was paid to another country. To have it sent to this one, please write to the author.',
  'shipments.country_not_served': 'We do not ship to this country.',
  'stock.sold_out': 'This is sold out at the moment. Nothing was bought, and nothing is charged.',
  'accounts.email_taken': 'An account with this email address already exists.',
} as const

export const refusalsTexts = defineTexts('refusals', refusals)

const texts: Readonly<Record<string, string>>[] = [refusalsTexts, outagesTexts]

/** Answers in the language of whoever calls. Undefined: only admins and programs can meet it. */
export function refusalText(code: string): string | undefined {
  return texts.find((each) => Object.hasOwn(each, code))?.[code]
}

/** The texts in the place of a refusal's, and other responses that a page shows. */
export const responsesTexts = defineTexts('responses', {
  wrongMailedCode:
    'This code is wrong, or too old, or was asked for in another browser. Press the button in the email, which works in any browser, or have it sent again.',
  wrongCodes: {
    one: 'Too many wrong codes. Please try again in a minute.',
    other: 'Too many wrong codes. Please try again in {count} minutes.',
  },
  wrongDiscounts: {
    one: 'Too many wrong codes were tried. Please wait a minute, then try again, or buy without a code.',
    other:
      'Too many wrong codes were tried. Please wait {count} minutes, then try again, or buy without a code.',
  },
  /** Stands in sentences of what is refused for a time. */
  wait: {
    minutes: { one: 'in a minute', other: 'in {count} minutes' },
    hours: { one: 'in an hour', other: 'in {count} hours' },
  },
  tooManyAttempts: 'Too many attempts. Please try again {wait}.',
  tooManyEmails: 'Too many emails were asked for. Please try again {wait}.',
  clock: { today: '{time}', otherDay: '{time} on {day}' },
  /** The text is the same for an address without an account: it must not tell the two apart. */
  emailRequested:
    'An email was requested at {requested}; its link works until {until} in any browser (times in {zone}). Please look into your mailbox, and into its spam folder.',
  /** The emails of the page that finds a purchase are receipts, or have a link to it. */
  purchaseEmailRequested:
    'An email was requested at {requested}: it has a code, or links that open your purchases. Please look into your mailbox, and into its spam folder. Here, the next one can be requested at {until} (times in {zone}).',
  tooManyReservations:
    'As many orders of limited copies, or with a limited code, as one network may have are already waiting to be paid from yours. Please pay one of them, try again {wait}, or sign in to buy.',
  notChecked: 'Your payment could not be checked yet. Please look here again later.',
  refundRefused: 'The author has refused: {refusal}',
  downloadEnded:
    'This order has no download any more: it was refunded, a refund was asked for, or its copy was given away.',
  shippingPaidTo: 'Shipping was paid to {country}. To have it sent elsewhere, please write to the author.',
  receiptOnItsWay: 'The confirmation email is on its way.',
  receiptSentBefore:
    'The confirmation email was sent a moment ago. Please look into your mailbox, and into its spam folder.',
})

/** Names the time of a refusal that ends by itself. Undefined for any other code. */
export function limitText(code: string, seconds: number): string | undefined {
  const wait = formatWait(seconds)
  switch (code) {
    case 'request.rate_limited':
    case 'auth.over_request_rate_limit':
      return fill(responsesTexts.tooManyAttempts, { wait })
    case 'auth.over_email_send_rate_limit':
      return fill(responsesTexts.tooManyEmails, { wait })
    case 'guest_checkout.too_many_reservations':
      return fill(responsesTexts.tooManyReservations, { wait })
    default:
      return undefined
  }
}

/** "in 12 minutes", "in 3 hours": never shorter than it takes. */
function formatWait(seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60))
  const hours = Math.ceil(minutes / 60)
  const { wait } = responsesTexts
  return minutes < 60
    ? fill(forCount(wait.minutes, minutes), { count: minutes })
    : fill(forCount(wait.hours, hours), { count: hours })
}
