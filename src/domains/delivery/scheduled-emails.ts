// What the job of scheduled emails knows of each kind.
import type { BookShop } from '#domains/book/shop.ts'
import { edition } from './editions.ts'
import { gift_to_someone, gift_unopened, gift_waiting } from './gifts.ts'
import { release_moved, release_out, release_waitlist_out } from './releases.ts'

export const scheduledEmails: BookShop['scheduledEmails'] = {
  gift_to_someone,
  gift_waiting,
  gift_unopened,
  release_out,
  release_moved,
  release_waitlist: release_waitlist_out,
  edition,
}
