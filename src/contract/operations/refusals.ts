// Refusals of operations.
import { refusals } from '#words/refusals.ts'
import type { Refusals } from '../problems.ts'

export const operationRefusals = {
  'backups.busy': [409, 'A backup or a rehearsal is under way already. Wait until it is done.'],
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
