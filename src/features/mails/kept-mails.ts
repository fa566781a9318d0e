// Reads emails that were not sent because no mail server was set, from the outbox of this machine.
import { inArray } from 'drizzle-orm'
import type { Db } from '#platform/db/client.ts'
import { readCursor, toPage } from '#platform/http/cursors.ts'
import type { SignedInUser } from '#platform/http/route.ts'
import { keptMailName, listOutbox, outboxFolder, readFromOutbox, type OutboxMail } from '#platform/outbox.ts'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import { readLink, writeLink, type WithSessions } from '../signed-links/signed-links.ts'
import { hideAddress, linkAddress } from './hidden-links.ts'
import type { KeptMail, KeptMails, KeptMailsRequest, KeptMailSummary } from './contract/kept-mails.ts'
import { mails } from './schema.ts'
import { findSendable } from './send-kept-mails.ts'

const pageSize = 25

export async function listKeptMails(services: Services, { after }: KeptMailsRequest): Promise<KeptMails> {
  const { config, mail } = services
  const last = readCursor(after, keptMailName)
  const names = (await listOutbox(config)).filter((name) => last === undefined || name < last)
  const itself = (name: string) => name
  const page = toPage(names.slice(0, pageSize + 1), pageSize, { item: itself, key: itself })
  const read = await Promise.all(
    page.items.map(async (name) => ({ name, kept: await readFromOutbox(config, name) })),
  )
  const found = read.flatMap(({ name, kept }) => (kept ? [{ name, kept }] : []))
  const ids = found.map(({ kept }) => kept.id)
  const rows = await findRows(services.db, ids)
  return {
    items: found.map(({ name, kept }) => summaryOf(name, kept, rows)),
    next: page.next,
    is_kept: mail.isKept(),
    sendable: mail.isKept() ? null : await findSendable(services),
    folder: outboxFolder(config),
    may_be_elsewhere: config.databaseUrl !== undefined,
  }
}

type MailRows = Map<string, Pick<typeof mails.$inferSelect, 'kind' | 'status'>>

async function findRows(db: Db, ids: string[]): Promise<MailRows> {
  const { id, kind, status } = mails
  const rows = await db.select({ id, kind, status }).from(mails).where(inArray(id, ids))
  return new Map(rows.map((row) => [row.id, row]))
}

function summaryOf(name: string, { id, to, subject, keptAt }: OutboxMail, rows: MailRows): KeptMailSummary {
  const row = rows.get(id)
  return {
    name,
    to,
    subject,
    kind: row?.kind ?? null,
    kept_at: keptAt.toISOString(),
    is_sent: row?.status === 'sent',
  }
}

export async function getKeptMail(
  services: Pick<Services, 'db' | 'config' | 'secrets' | 'clock'>,
  reader: SignedInUser,
  name: string,
): Promise<KeptMail> {
  const kept = await getFromOutbox(services, name)
  const { text, isOwn, hidesLinks } = hideLinks(kept, reader.email)
  const holder = { user_id: reader.id, session_id: reader.session_id }
  return {
    ...summaryOf(name, kept, await findRows(services.db, [kept.id])),
    from: kept.from,
    reply_to: kept.replyTo ?? null,
    text,
    is_own: isOwn,
    hides_links: hidesLinks,
    page_url: `/api/mails/${await writeLink(services, 'mails', holder, name)}`,
  }
}

export async function openMailPage(
  services: Pick<Services, 'config' | 'secrets' | 'clock'> & WithSessions,
  token: string,
): Promise<{ html: string; isOwn: boolean }> {
  const { content: name, holder } = await readLink(services, 'mails', token, keptMailName)
  if (!holder.is_admin) throw new Problem('access.forbidden')
  return hideLinks(await getFromOutbox(services, name), holder.email)
}

async function getFromOutbox({ config }: Pick<Services, 'config'>, name: string): Promise<OutboxMail> {
  const kept = await readFromOutbox(config, name)
  if (!kept) throw new Problem('request.not_found')
  return kept
}

const linkAttribute = / href="([^"]*)"/g
/**
 * Only the recipient sees links. One that signs in or confirms an address works from its mailbox only, the admin's own
 * included: else a stolen session could take the account over.
 */
function hideLinks({ to, html, text }: OutboxMail, reader: string) {
  const isOwn = to.toLowerCase() === reader.toLowerCase()
  const isShown = (link: string) => isOwn && !link.includes('token_hash=')
  const hide = (link: string) => (isShown(link) ? link : hideAddress(link))
  const shown = {
    html: html
      .replaceAll(linkAttribute, (attribute, link: string) => (isShown(link) ? attribute : ''))
      .replaceAll(linkAddress, hide),
    text: text.replaceAll(linkAddress, hide),
  }
  return { ...shown, isOwn, hidesLinks: shown.text !== text || shown.html !== html }
}
