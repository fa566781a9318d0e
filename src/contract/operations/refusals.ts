// Refusals of operations.
import { refusals } from '#words/refusals.ts'
import type { Refusals } from '../problems.ts'

export const operationRefusals = {
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
  'erasures.of_admin': [409, refusals['erasures.of_admin']],
  'purchases.not_locked': [404, 'The name of this buyer is not locked away.'],
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
  'settings.fixed': [409, 'The environment of the shop sets this. Remove its variable to set it here.'],
  'setup.link_invalid': [403, refusals['setup.link_invalid']],
  'setup.finished': [409, refusals['setup.finished']],
  'setup.opened': [409, 'The shop is open already.'],
  'setup.opening': [409, 'The shop is being opened already. Please wait a moment.'],
  'setup.nothing_for_sale': [422, 'Please choose at least one format to sell.'],
  'setup.chapter_not_found': [
    422,
    'This chapter is not in the file that was read. Please load the page again.',
  ],
} as const satisfies Refusals
