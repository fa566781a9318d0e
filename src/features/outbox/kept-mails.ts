// Mails that were not sent because no mail server was set, read from the outbox of this machine.
import { inArray } from 'drizzle-orm'
import type { Page } from '#platform/contract/paging.ts'
import type { Db } from '#platform/db/client.ts'
import { readCursor, toPage } from '#platform/http/cursors.ts'
import type { SignedInUser } from '#platform/http/signed-in-user.ts'
import { keptMailName, listOutbox, outboxFolder, readFromOutbox, type OutboxMail } from '#platform/outbox.ts'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import type { WithAuth } from '../accounts/auth.ts'
import { readLink, writeLink } from '../accounts/signed-links.ts'
import { mails } from '../mails/schema.ts'
import { findSendable } from '../mails/send-kept-mails.ts'
import type { KeptMail, KeptMails, KeptMailsRequest, KeptMailSummary } from './contract/kept-mails.ts'
import { hideLinks } from './hide-links.ts'

const pageSize = 25

/** Newest first; a mail that is deleted meanwhile is left out. */
export async function listKeptMails(
  { db, config, mail, queue }: Pick<Services, 'db' | 'config' | 'mail' | 'queue'>,
  { after }: KeptMailsRequest,
): Promise<KeptMails> {
  const { items: names, next } = pageAfter(await listOutbox(config), readCursor(after, keptMailName))
  const read = await Promise.all(
    names.map(async (name) => ({ name, kept: await readFromOutbox(config, name) })),
  )
  const found = read.flatMap(({ name, kept }) => (kept ? [{ name, kept }] : []))
  const records = await findRecords(
    db,
    found.map(({ kept }) => kept.id),
  )
  return {
    items: found.map(({ name, kept }) => summaryOf(name, kept, records)),
    next,
    is_kept: mail.isKept(),
    sendable: mail.isKept() ? null : await findSendable({ db, queue }),
    folder: outboxFolder(config),
    may_be_elsewhere: config.databaseUrl !== undefined,
  }
}

function pageAfter(names: readonly string[], last: string | undefined): Page<string> {
  const left = names.filter((name) => last === undefined || name < last)
  const itself = (name: string) => name
  return toPage(left.slice(0, pageSize + 1), pageSize, { item: itself, key: itself })
}

type Records = Map<string, Pick<typeof mails.$inferSelect, 'kind' | 'status'>>

async function findRecords(db: Db, ids: string[]): Promise<Records> {
  const { id, kind, status } = mails
  const rows = await db.select({ id, kind, status }).from(mails).where(inArray(id, ids))
  return new Map(rows.map((row) => [row.id, row]))
}

function summaryOf(name: string, { id, to, subject, keptAt }: OutboxMail, records: Records) {
  const record = records.get(id)
  const summary: KeptMailSummary = {
    name,
    to,
    subject,
    kind: record?.kind ?? null,
    kept_at: keptAt.toISOString(),
    is_sent: record?.status === 'sent',
  }
  return summary
}

export async function getKeptMail(
  services: Pick<Services, 'db' | 'config' | 'secrets' | 'clock'>,
  reader: SignedInUser,
  name: string,
): Promise<KeptMail> {
  const { db, config } = services
  const kept = await getFromOutbox(config, name)
  const { text, isOwn, hidesLinks } = hideLinks(kept, reader.email)
  const holder = { user_id: reader.id, session_id: reader.session_id }
  return {
    ...summaryOf(name, kept, await findRecords(db, [kept.id])),
    from: kept.from,
    reply_to: kept.replyTo ?? null,
    text,
    is_own: isOwn,
    hides_links: hidesLinks,
    page_url: `/api/mails/${await writeLink(services, 'mails', holder, name)}`,
  }
}

export async function openMailPage(
  services: Pick<Services, 'config' | 'secrets' | 'clock'> & WithAuth,
  token: string,
): Promise<{ html: string; isOwn: boolean }> {
  const { content: name, holder } = await readLink(services, 'mails', token, keptMailName)
  if (!holder.is_admin) throw new Problem('access.forbidden')
  return hideLinks(await getFromOutbox(services.config, name), holder.email)
}

async function getFromOutbox(config: Services['config'], name: string): Promise<OutboxMail> {
  const kept = await readFromOutbox(config, name)
  if (!kept) throw new Problem('request.not_found')
  return kept
}
