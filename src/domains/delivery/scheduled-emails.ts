// The job of scheduled emails knows this of each kind.
import type { CommerceShop } from '#domains/book/shop.ts'
import { edition } from './editions.ts'
import { gift_to_someone } from './scheduled-gift-emails.ts'
import { release_moved, release_out } from './releases.ts'
import { release_waitlist_out } from './waitlist.ts'

export const scheduledEmails: CommerceShop['scheduledEmails'] = {
  gift_to_someone,
  release_out,
  release_moved,
  release_waitlist: release_waitlist_out,
  edition,
}
