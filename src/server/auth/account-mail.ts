// Every mail about an account. A request only asks for it, so it takes as long for an unknown address as for a known
// one; here, in the job, it is decided what is sent, and the link is made, so that no job's payload holds one.
import { and, desc, eq, gt } from 'drizzle-orm'
import { z } from 'zod'
import type { Transaction } from '../db/client.ts'
import { one_time_tokens } from '../db/schema/auth.ts'
import {
  accountExistsLetter,
  emailChangedLetter,
  emailChangeLetter,
  passwordChangedLetter,
  resetLetter,
  verifyLetter,
} from '../emails/account.ts'
import { defineJob } from '../job.ts'
import type { Services } from '../services.ts'
import { insertAccount, lockUser, updateAccount } from './accounts.ts'
import { linkAddress, makeLink, type LinkType } from './links.ts'

const email = z.string()
const path = z.string().optional()
const user_metadata = z.looseObject({ display_name: z.string().optional() })

const payload = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('sign_up'),
    id: z.uuid(),
    email,
    password_hash: z.string(),
    user_metadata,
    path,
  }),
  z.object({ kind: z.literal('verify_again'), email, path }),
  z.object({ kind: z.literal('recovery'), email, path }),
  z.object({ kind: z.literal('email_change'), email, new_email: email, path }),
  z.object({ kind: z.literal('email_change_again'), email, path }),
  z.object({ kind: z.literal('email_changed'), email, new_email: email }),
  z.object({ kind: z.literal('password_changed'), email }),
])

type Asked = z.infer<typeof payload>
type AskedFor<Kind extends Asked['kind']> = Extract<Asked, { kind: Kind }>

/** A link to be mailed: whose, of what type, and to which address. */
type Link = { type: LinkType; email: string; display_name: string | undefined; token: string }

export const accountMailJob = defineJob({
  name: 'mail.account',
  payload,
  async run(services, asked, attempt) {
    const letter = await compose(services, asked)
    if (letter) await services.mail.send(letter, attempt.id)
  },
})

/** Undefined when nobody is to get anything. */
async function compose({ db, config, clock }: Pick<Services, 'db' | 'config' | 'clock'>, asked: Asked) {
  const { siteUrl, adminEmail } = config
  const replyTo = adminEmail ? { replyTo: adminEmail } : {}
  const { email: to } = asked
  if (asked.kind === 'password_changed')
    return { to, ...replyTo, ...(await passwordChangedLetter({ siteUrl })) }
  if (asked.kind === 'email_changed') {
    return { to, ...replyTo, ...(await emailChangedLetter({ siteUrl, newEmail: asked.new_email })) }
  }
  const made = await db.transaction((tx) => makeAskedLink(tx, asked, clock()))
  if (made === undefined) return undefined
  if (made === 'exists') return { to, ...(await accountExistsLetter({ siteUrl })) }
  const { type, token, email: address, display_name } = made
  const write = { signup: verifyLetter, recovery: resetLetter, email_change: emailChangeLetter }[type]
  const link = linkAddress(siteUrl, type, token, asked.path)
  return { to: address, ...(await write({ siteUrl, link, display_name })) }
}

type AskedLink = Exclude<Asked, { kind: 'email_changed' | 'password_changed' }>

async function makeAskedLink(
  tx: Transaction,
  asked: AskedLink,
  now: Date,
): Promise<Link | 'exists' | undefined> {
  if (asked.kind === 'sign_up') return signUp(tx, asked, now)
  const user = await lockUser(tx, asked.email)
  if (!user) return undefined
  const { id: user_id, email: address, password_hash, user_metadata: meta } = user
  const send = async (link: Parameters<typeof makeLink>[1]): Promise<Link> => ({
    type: link.type,
    email: link.email,
    display_name: meta.display_name,
    token: await makeLink(tx, link, now),
  })
  switch (asked.kind) {
    case 'recovery':
      return send({ user_id, type: 'recovery', email: address })
    case 'verify_again':
      if (user.email_confirmed_at) return undefined
      return send({ user_id, type: 'signup', email: address, password_hash, user_metadata: meta })
    case 'email_change':
      if (await isTaken(tx, asked.new_email)) return undefined
      return send({ user_id, type: 'email_change', email: asked.new_email })
    case 'email_change_again': {
      const pending = await findPendingChange(tx, user_id, now)
      return pending === undefined ? undefined : send({ user_id, type: 'email_change', email: pending })
    }
  }
}

/**
 * Each sign-up's password and name travel with its own link and count only when that one is pressed: else whoever
 * signs up with a stranger's address first would know the password of the account that the stranger confirms later.
 */
async function signUp(tx: Transaction, asked: AskedFor<'sign_up'>, now: Date): Promise<Link | 'exists'> {
  const { id, email: address, password_hash, user_metadata: meta } = asked
  const made = await insertAccount(tx, {
    id,
    email: address,
    password_hash,
    user_metadata: meta,
    email_confirmed_at: null,
    now,
  })
  const user = await lockUser(tx, address)
  if (!user || user.email_confirmed_at) return 'exists'
  // The newest password is the one a sign-in before the verification is compared with.
  if (!made) await updateAccount(tx, user.id, { password_hash, user_metadata: meta }, now)
  const link = {
    user_id: user.id,
    type: 'signup',
    email: address,
    password_hash,
    user_metadata: meta,
  } as const
  return {
    type: 'signup',
    email: address,
    display_name: meta.display_name,
    token: await makeLink(tx, link, now),
  }
}

/** An account that was never confirmed does not hold its address against somebody who has the mailbox. */
async function isTaken(tx: Transaction, address: string): Promise<boolean> {
  const user = await lockUser(tx, address)
  return Boolean(user?.email_confirmed_at)
}

async function findPendingChange(tx: Transaction, user_id: string, now: Date): Promise<string | undefined> {
  const [link] = await tx
    .select({ email: one_time_tokens.email })
    .from(one_time_tokens)
    .where(
      and(
        eq(one_time_tokens.user_id, user_id),
        eq(one_time_tokens.type, 'email_change'),
        gt(one_time_tokens.expires_at, now),
      ),
    )
    .orderBy(desc(one_time_tokens.created_at))
    .limit(1)
  return link?.email
}
