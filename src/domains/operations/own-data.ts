import { fullTitle } from '#contract/book/book.ts'
import type { WithBook } from '#domains/book/published-book.ts'
import type { WithAuth } from '#domains/accounts/auth.ts'
import type { Services } from '#platform/services.ts'
import { collectOwnData } from './collect.ts'
import type { OwnData } from '#contract/operations/own-data.ts'

type Needs = Pick<Services, 'db' | 'clock'> & WithBook & WithAuth

/** Reported before anything is read: whoever takes the data, the account's owner hears of it. */
export async function takeOwnData(services: Needs, user: { id: string; email: string }): Promise<OwnData> {
  const { db, clock, auth, book } = services
  await auth.own.reportDataTaken(user)
  const { document } = await book.getSoon()
  return collectOwnData(db, { user_id: user.id, shop: fullTitle(document), now: clock() })
}
