import type { SignedInUser } from '#platform/http/route.ts'
import { and, eq, gt } from 'drizzle-orm'
import { accountMailJob } from './account-mail.ts'
import type { AccountsContext } from './accounts-context.ts'
import { audit } from './accounts.ts'
import { addressToCome, missingMailboxes } from './address-change-state.ts'
import { cancelAddressChange, findAddressLink } from './address-changes.ts'
import type { OwnAccount } from '#contract/accounts/own-account.ts'
import type { Device } from './devices.ts'
import { listOwnFactors } from './own-factors.ts'
import { endOwnSession, listOwnSessions } from './own-sessions.ts'
import { audit_log } from '#tables/accounts.ts'

export function createOwnAccounts(context: AccountsContext) {
  return {
    get: (user_id: string) => getOwnAccount(context, user_id),
    cancelAddressChange: (caller: SignedInUser) => cancelAddressChange(context, caller),
    findAddressLink: (token: string, device: Device) => findAddressLink(context, token, device),
    listSessions: (caller: SignedInUser) => listOwnSessions(context, caller),
    endSession: (caller: SignedInUser, id: string) => endOwnSession(context, caller, id),
    reportDataTaken: (user: { id: string; email: string }) => reportDataTaken(context, user),
  }
}

async function getOwnAccount(
  context: Pick<AccountsContext, 'accounts' | 'db' | 'settings' | 'clock'>,
  user_id: string,
): Promise<OwnAccount> {
  const account = await context.accounts.getById(user_id)
  const { email, user_metadata, password_hash } = account
  const new_email = addressToCome(account, context.clock()) ?? null
  return {
    email,
    new_email,
    missing: new_email ? missingMailboxes(account) : [],
    display_name: user_metadata.display_name ?? null,
    has_password: password_hash !== null,
    factors: await listOwnFactors(context, user_id),
  }
}

const noticePauseMs = 3_600_000

/** An email at most once an hour: who reads a page twice hears of it once. */
async function reportDataTaken(
  { db, queue, clock }: Pick<AccountsContext, 'db' | 'queue' | 'clock'>,
  { id: user_id, email }: { id: string; email: string },
): Promise<void> {
  const now = clock()
  const event = 'data_taken'
  const isRecent = gt(audit_log.created_at, new Date(now.getTime() - noticePauseMs))
  await db.transaction(async (tx) => {
    const earlier = and(eq(audit_log.user_id, user_id), eq(audit_log.event, event), isRecent)
    if ((await tx.$count(audit_log, earlier)) > 0) return
    await audit(tx, { user_id, event }, now)
    await queue.enqueue(tx, accountMailJob, { kind: event, email })
  })
}
