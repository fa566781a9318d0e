// Refusals by domain and code. The browser takes only the names of the codes.
import { platformRefusals, type Refusals } from './platform-refusals.ts'
import { outages } from '#words/site.ts'
import { refusals } from '#words/refusals.ts'
import { maxExcerptMegabytes } from './catalog/excerpt-file.ts'
import { passwordTooShort } from './field-rules.ts'

export const mailRefusals = {
  'mail_setup.no_server': [409, 'No mail server is set yet. Enter one and save it first.'],
  'mails.not_set_up': [409, 'Email is not set up. Please set a mail server first, in the settings.'],
  'mails.not_repeatable': [
    409,
    'This email was of use at its time only, or its purchase was refunded: it is not sent again.',
  ],
  'mails.just_sent': [409, 'It was sent a moment ago. Please wait two minutes before the next one.'],
  'mails.too_old': [410, 'This email is too old to be sent again.'],
  'webhook.off': [409, 'The webhook is off, so nothing was sent. Enter its address first.'],
} as const satisfies Refusals

/** Codes that begin with "auth." are GoTrue's own, so that its clients know them. */
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

export const fileRefusals = {
  'uploads.not_an_ebook': [422, 'Please upload a PDF, EPUB, or MOBI file.'],
  'uploads.too_complex': [
    422,
    'This file is more complex than a book needs, so it could not be checked. Please export the book again and upload the new file.',
  ],
  'uploads.timed_out': [
    503,
    'The shop could not read this file in time: its machine is busy, or small. Please try again in a moment.',
  ],
  'uploads.busy': [503, 'Other files are being checked. Please try again in a moment.'],
  'uploads.not_a_picture': [422, 'Please choose a JPEG, PNG or WebP picture.'],
  'pictures.not_found': [422, 'This picture is no longer stored. Please choose its file again.'],
  'pictures.too_slow': [503, 'The picture was not ready in time. Please try again in a moment.'],
} as const satisfies Refusals

export const catalogRefusals = {
  'products.edition_not_found': [404, 'This edition does not exist.'],
  'products.not_found': [404, refusals['products.not_found']],
  'products.not_a_bundle': [422, 'A bundle holds single products that exist, and nothing else does.'],
  'products.archived': [409, 'This product is in the archive. Bring it back first.'],
  'products.no_download': [422, 'A book on paper has no download, so it takes no file.'],
  'stock.sold_out': [409, refusals['stock.sold_out']],
  'stock.not_on_paper': [422, 'Only a book on paper has copies to count.'],
  'stock.changed_meanwhile': [
    409,
    'Copies were sold or came back since this page was loaded. Please look at the number again.',
  ],
  'downloads.lost': [404, refusals['downloads.lost']],
  'excerpt.too_large': [
    422,
    `An excerpt may have ${maxExcerptMegabytes} MB at most, so that it opens on a phone. Please make it smaller: fewer chapters, or smaller pictures.`,
  ],
  'excerpt.other_format': [422, 'An excerpt is an EPUB or a PDF, which readers can open on any device.'],
} as const satisfies Refusals

export const bookRefusals = {
  'book.changed_elsewhere': [409, 'The book was changed elsewhere meanwhile.'],
  'book.unfinished': [422, 'Some fields need your attention before this can be published.'],
  'book.nothing_to_publish': [409, 'Nothing has changed since the last version was published.'],
  'book.waits_for_opening': [
    409,
    'Your book becomes public when you open the shop, together with its products. Continue the setup, and open the shop in its last step.',
  ],
  'book.ebook_not_found': [404, 'There is no such chapter in an EPUB of this shop.'],
  'book.preview_not_ready': [
    503,
    'The preview was not ready in time. Please try again in a moment; if that fails too, shorten the text.',
  ],
  'book.version_not_found': [404, 'There is no such version.'],
} as const satisfies Refusals

export const orderRefusals = {
  'discounts.not_valid': [422, refusals['discounts.not_valid']],
  'discounts.paused': [409, refusals['discounts.paused']],
  'discounts.other_product': [422, refusals['discounts.other_product']],
  'discounts.used_up': [409, refusals['discounts.used_up']],
  'discounts.too_small': [422, refusals['discounts.too_small']],
  'discounts.code_taken': [
    409,
    'There is a code of this name already. End it first, or choose another name.',
  ],
  'discounts.too_many': [409, 'There are 500 codes that have not been ended. Please end some of them first.'],
  'discounts.not_found': [404, 'We could not find that code.'],
  'guest_checkout.not_offered': [409, refusals['guest_checkout.not_offered']],
  'guest_checkout.nothing_to_pay': [409, refusals['guest_checkout.nothing_to_pay']],
  'guest_checkout.address_unproven': [409, refusals['guest_checkout.address_unproven']],
  'guest_checkout.too_many_reservations': [429, refusals['guest_checkout.too_many_reservations']],
  'guest_checkout.other_browser': [403, refusals['guest_checkout.other_browser']],
  'guest_checkout.address_corrected': [409, refusals['guest_checkout.address_corrected']],
  'guest_checkout.address_refused': [409, refusals['guest_checkout.address_refused']],
  'guest_checkout.access_ended': [410, refusals['guest_checkout.access_ended']],
  'purchases.not_found': [404, refusals['purchases.not_found']],
  'purchases.not_for_sale': [409, refusals['purchases.not_for_sale']],
  'purchases.key_reused': [409, refusals['purchases.key_reused']],
  'purchases.not_completed': [409, refusals['purchases.not_completed']],
  'purchases.checkout_ended': [409, refusals['purchases.checkout_ended']],
  'purchases.not_refundable': [409, refusals['purchases.not_refundable']],
  'purchases.address_needed': [422, refusals['purchases.address_needed']],
  'purchases.consent_needed': [422, refusals['purchases.consent_needed']],
  'purchases.seller_changed': [409, refusals['purchases.seller_changed']],
  'purchases.not_paid': [409, refusals['purchases.not_paid']],
  'purchases.refund_too_large': [422, 'That is more than is left of this purchase.'],
  'purchases.refunded_meanwhile': [
    409,
    'Money has gone back since this page was loaded. Please look at what is left.',
  ],
  'shipments.not_found': [404, refusals['shipments.not_found']],
  'shipments.already_shipped': [409, refusals['shipments.already_shipped']],
  'shipments.not_due': [409, refusals['shipments.not_due']],
  'shipments.not_shipped': [409, 'It has not been shipped yet.'],
  'shipments.not_owed': [
    409,
    'The order has ended or was withdrawn meanwhile, so the parcel would not be back on the list of parcels to ship. It stays marked as shipped.',
  ],
  'shipments.too_late_to_undo': [
    409,
    'It was shipped more than a week ago, so this can no longer be undone.',
  ],
  'shipments.country_needed': [422, refusals['shipments.country_needed']],
  'shipments.price_changed': [409, refusals['shipments.price_changed']],
  'shipments.other_country': [409, refusals['shipments.other_country']],
  'shipments.country_not_served': [422, refusals['shipments.country_not_served']],
  'withdrawals.bound': [409, 'This cannot be refused: the money has to go back.'],
  'withdrawals.link_over': [403, refusals['withdrawals.link_over']],
  'withdrawals.not_offered': [409, refusals['withdrawals.not_offered']],
  'payments.not_waiting': [409, 'This does not wait for you any more.'],
  'purchases.buyer_erased': [
    409,
    'The account of this buyer was erased, so there is no address to write to.',
  ],
} as const satisfies Refusals

export const deliveryRefusals = {
  'downloads.unavailable': [404, refusals['downloads.unavailable']],
  'downloads.not_released': [409, refusals['downloads.not_released']],
  'editions.not_newest': [
    409,
    'A newer file of this format has replaced this edition: tell its owners of that one.',
  ],
  'editions.not_released': [409, 'This product is not out yet: its readers get an email on the day.'],
  'gifts.not_deliverable': [409, 'This product has no file yet, so it cannot be given.'],
  'gifts.not_found': [404, 'This copy was taken back already.'],
  'gifts.opened': [409, 'This copy was opened, or is sent by post already, so it cannot be taken back.'],
  'purchase_gifts.not_givable': [409, refusals['purchase_gifts.not_givable']],
  'purchase_gifts.given': [409, refusals['purchase_gifts.given']],
  'purchase_gifts.own_address': [409, refusals['purchase_gifts.own_address']],
  'purchase_gifts.no_mail': [409, refusals['purchase_gifts.no_mail']],
  'purchase_gifts.opened': [409, refusals['purchase_gifts.opened']],
  'purchase_gifts.not_given': [404, refusals['purchase_gifts.not_given']],
  'purchase_gifts.too_late': [422, refusals['purchase_gifts.too_late']],
  'purchase_gifts.too_many': [409, refusals['purchase_gifts.too_many']],
  'purchase_gifts.too_soon': [409, refusals['purchase_gifts.too_soon']],
  'purchase_gifts.link_over': [403, refusals['purchase_gifts.link_over']],
  'releases.already_out': [409, 'Readers have this product already, so it cannot wait for a day any more.'],
  'releases.too_late': [422, 'Please choose a day within two years.'],
  'releases.not_awaited': [409, refusals['releases.not_awaited']],
  'releases.link_over': [403, refusals['releases.link_over']],
} as const satisfies Refusals

export const paymentRefusals = {
  'payments.refused': [409, refusals['payments.refused']],
  'payments.not_acceptable': [
    409,
    'Stripe does not have this as a payment for this purchase in the currency of the shop, so it cannot be accepted. Give the money back instead.',
  ],
  'payments.money_gone': [
    409,
    'The money of this payment is not at Stripe any more: it went back to its buyer, or to the buyer’s bank. Nothing was changed.',
  ],
  'payments.nothing_paid': [
    409,
    'Stripe has no payment for this purchase, so there is nothing to give back.',
  ],
  'payments.not_set': [404, 'This shop takes no payments.'],
} as const satisfies Refusals

export const readerRefusals = {
  'messages.not_found': [404, 'This message is not there any more.'],
  'messages.reply_exists': [409, 'Another reply was sent under this id. Reload the page.'],
  'messages.snippets_full': [409, 'There are 20 snippets already. Delete one that you do not need any more.'],
  'messages.snippet_not_found': [404, 'This snippet is not there any more.'],
  'contact.not_accepted': [422, refusals['contact.not_accepted']],
  'purchase_moves.not_movable': [
    409,
    'Only a purchase that is paid, and whose money is not going back, can be moved.',
  ],
  'purchase_moves.same_account': [409, 'The purchase belongs to this address already.'],
  'purchase_moves.account_disabled': [409, 'The account of this address is disabled.'],
  'excerpt.not_offered': [409, refusals['excerpt.not_offered']],
  'excerpt.link_over': [403, refusals['excerpt.link_over']],
  'excerpt.removed': [404, refusals['excerpt.removed']],
  'excerpt.used_up': [409, refusals['excerpt.used_up']],
  'letters.not_offered': [409, refusals['letters.not_offered']],
  'letters.changed': [409, refusals['letters.changed']],
  'letters.link_over': [403, refusals['letters.link_over']],
  'letters.not_found': [404, 'This address is not on the list any more.'],
  'purchase_moves.link_over': [403, refusals['purchase_moves.link_over']],
} as const satisfies Refusals

export const settingsRefusals = {
  'payments.not_connected': [409, 'No account at Stripe is connected.'],
  'payments.webhook_refused': [409, 'Stripe does not report payments to this address.'],
  'payments.still_open': [
    409,
    'Some payments to the present account are not finished: they are being paid, refunded, or need attention. Without its key nobody could finish them. Wait until they have ended, a day at most, and resolve what needs attention.',
  ],
  'settings.changed': [
    409,
    'Another admin has changed these settings meanwhile. What you entered is still here: load the page again to see theirs.',
  ],
  'settings.currency_fixed': [
    409,
    'The shop has sold in another currency already, and all its sums are in that one.',
  ],
  'webhook.none': [409, 'There is no webhook, or its secret cannot be opened. Enter its address first.'],
  'settings.fixed': [409, 'The environment of the shop sets this. Remove its variable to set it here.'],
} as const satisfies Refusals

export const backupRefusals = {
  'backups.busy': [409, 'A backup or a rehearsal is under way already. Wait until it is done.'],
  'backups.failed': [500, 'The backup failed, so there is no copy. Backups says why.'],
  'backups.no_place': [409, 'No second place is set on the screen. Save one first.'],
  'backups.offer_ended': [
    409,
    'This passphrase does not count any more: it was shown more than half an hour ago, or another admin has made one meanwhile. Throw the page away and make a new one.',
  ],
  'backups.no_passphrase': [
    409,
    'There is no passphrase yet, and a copy is downloaded only encrypted. Make one first.',
  ],
} as const satisfies Refusals

export const privacyRefusals = {
  'erasures.of_admin': [409, refusals['erasures.of_admin']],
  'purchases.not_locked': [404, 'The name of this buyer is not locked away.'],
} as const satisfies Refusals

export const setupRefusals = {
  'setup.link_invalid': [403, refusals['setup.link_invalid']],
  'setup.finished': [409, refusals['setup.finished']],
  'setup.in_use': [
    409,
    'This shop has orders or a published book already, so nothing can be restored over it. Use an empty DATA_DIR, or the command “lectern restore”, which keeps the data that are here.',
  ],
  'setup.restore_busy': [409, 'A restore is under way already. Wait until it has ended.'],
  'setup.restore_not_open': [
    409,
    'The backup is not open any more: the shop was started again meanwhile. Enter the passphrase again; nothing was changed, and what you uploaded stays.',
  ],
  'setup.restore_obstacle': [
    409,
    'Something has to be changed on this machine before this backup is restored.',
  ],
  'setup.several_processes': [
    409,
    'Several processes of the shop run on its database, and this one can close only itself. Stop the others, and start the restore again. Nothing was changed.',
  ],
  'setup.opened': [409, 'The shop is open already.'],
  'setup.opening': [409, 'The shop is being opened already. Please wait a moment.'],
  'setup.nothing_for_sale': [422, 'Please choose at least one format to sell.'],
  'setup.chapter_not_found': [
    422,
    'This chapter is not in the file that was read. Please load the page again.',
  ],
} as const satisfies Refusals

export const allRefusals = {
  ...platformRefusals,
  ...mailRefusals,
  ...accountRefusals,
  ...fileRefusals,
  ...catalogRefusals,
  ...bookRefusals,
  ...orderRefusals,
  ...deliveryRefusals,
  ...paymentRefusals,
  ...readerRefusals,
  ...settingsRefusals,
  ...backupRefusals,
  ...privacyRefusals,
  ...setupRefusals,
} satisfies Refusals

export type ProblemCode = keyof typeof allRefusals
