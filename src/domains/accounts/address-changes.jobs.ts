// The job that mails both mailboxes the links that confirm a change of address.
import { z } from 'zod'
import type { Transaction } from '#platform/db/client.ts'
import { defineMailJob } from '#domains/mail/sending.ts'
import { addressLinkEmail } from './account.emails.ts'
import { isAddress, isTaken, lockUser } from './accounts.ts'
import { addressChangeEnd, addressToCome, missingMailboxes } from './pending-address.ts'
import { mailboxes } from '#contract/accounts/own-account.ts'
import { linkAddress, makeLink } from './links.ts'

const payload = z.object({
  /** The account's. */
  email: z.string(),
  mailbox: z.enum(mailboxes),
  new_email: z.string(),
  path: z.string().optional(),
  isAgain: z.boolean().optional(),
})

export const addressMailJob = defineMailJob({
  name: 'mail.address_change',
  kinds: ['email_change', 'email_change_again'],
  payload,
  async compose({ db, clock }, request, branding) {
    const { mailbox, new_email, path, isAgain = false } = request
    const created = await db.transaction((tx) => makeAddressLink(tx, request, clock()))
    if (!created) return undefined
    const link = linkAddress(branding.siteUrl, 'email_change', created.token, path)
    const email = await addressLinkEmail(mailbox, { branding, link, new_email })
    return {
      kind: isAgain ? 'email_change_again' : 'email_change',
      email: { ...email, to: created.to, replyTo: branding.authorEmail },
      // Anybody can ask for a mail to an address that does not exist.
      isUnimportant: mailbox === 'new',
    }
  },
})

/** Undefined where another address was asked for since, or the mailbox has confirmed, or the address has an account. */
async function makeAddressLink(
  tx: Transaction,
  { email, mailbox, new_email }: z.output<typeof payload>,
  now: Date,
): Promise<{ token: string; to: string } | undefined> {
  const user = await lockUser(tx, isAddress(email))
  const isWaiting = user && addressToCome(user, now) === new_email && missingMailboxes(user).includes(mailbox)
  if (!isWaiting || (mailbox === 'new' && (await isTaken(tx, new_email)))) return undefined
  const to = mailbox === 'new' ? new_email : user.email
  const type = mailbox === 'new' ? 'email_change_new' : 'email_change_current'
  const link = { user_id: user.id, type, email: to, expires_at: addressChangeEnd(user) } as const
  return { to, ...(await makeLink(tx, link, { now })) }
}
