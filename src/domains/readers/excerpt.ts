// The excerpt by email: a visitor asks for it, and the link of the email gives it, and confirms the letters that were ticked.
import { z } from 'zod'
import { mediaTypes } from '#contract/catalog/products.ts'
import type { ExcerptState } from '#contract/catalog/excerpt-file.ts'
import { maxExcerptDownloads, type LinkedExcerpt } from '#contract/mail/excerpt-requests.ts'
import type { AskedSubscriber } from '#contract/mail/subscribers.ts'
import type { Download } from '#contract/orders/purchases.ts'
import { offeredExcerpt } from '#domains/book/published-book.ts'
import type { CommerceShop } from '#domains/book/shop.ts'
import { findExcerpt, findSoldAs, type StoredExcerpt } from '#domains/catalog/excerpt-file.ts'
import { deliveryProblem } from '#domains/delivery/problem.ts'
import {
  countExcerptDownload,
  findExcerptRequest,
  findLinkedExcerpt,
  lockLinkedExcerpt,
  requestExcerpt,
  type ExcerptRequest,
} from '#domains/mail/excerpt-requests.ts'
import { lettersTerms } from '#domains/mail/letters.ts'
import { confirmMailedTick, readMailedTick, type MailedTick } from '#domains/mail/subscribers.ts'
import { readShownBoxes } from '#domains/orders/ticked-boxes.ts'
import { platformProblem } from '#platform/problem.ts'
import {
  linkSeconds,
  readClaim,
  requireHolder,
  sessionClaim,
  signLink,
  writeLink,
  type LinkHolder,
} from '#platform/signed-links.ts'
import { excerpt_requests } from '#tables/mail.ts'
import { fill } from '#words/texts.ts'
import { withTexts } from '#words/wording.ts'
import { excerptTexts } from '#words/excerpt.ts'
import { excerptJob } from './excerpt.emails.ts'
import { readerProblem } from './problem.ts'

/** Throws excerpt.not_offered where visitors see none. */
export async function requireOffered(services: CommerceShop): Promise<void> {
  if (!offeredExcerpt(await services.book.get(), services.mail.sendsMail()))
    throw readerProblem('excerpt.not_offered')
}

type Request = { email: string; ticked: string | undefined; network: string }

/** The response is the same whether or not an email is sent. A tick beside words that the shop does not say is dropped. */
export async function askForExcerpt(
  services: CommerceShop,
  { email, ticked, network }: Request,
): Promise<void> {
  const { db, clock, queue } = services
  const { letters } = await readShownBoxes(services)
  const agreed = letters && letters.words === ticked ? letters : undefined
  await db.transaction(async (tx) => {
    const id = await requestExcerpt(tx, { email, agreed }, clock())
    if (id) await queue.enqueue(tx, excerptJob, { id, network })
  })
}

/** Reading it confirms nothing: mail scanners open links, too. */
export async function readLinkedExcerpt(services: CommerceShop, token: string): Promise<LinkedExcerpt> {
  const { db, clock } = services
  const request = requireLink(await findLinkedExcerpt(db, token, clock()))
  const file = await findExcerpt(db)
  const tick = findTick(services, request)
  return {
    file: file ? { file_format: file.file_format, file_size: file.file_size } : null,
    is_replaced: file !== undefined && file.created_at > request.requested_at,
    downloads_left: Math.max(0, maxExcerptDownloads - request.downloads),
    letters: tick ? await readMailedTick(db, tick) : null,
  }
}

function requireLink(request: ExcerptRequest | undefined): ExcerptRequest {
  if (!request) throw readerProblem('excerpt.link_over')
  return request
}

/** Undefined where the box was not ticked, or the author sends no letters any more. */
function findTick(services: CommerceShop, request: ExcerptRequest): MailedTick | undefined {
  const { email, words, language, requested_at } = request
  if (words === null || language === null || !lettersTerms(services)) return undefined
  return { email, words, language, requested_at }
}

/** The link has proven the mailbox, so that the press confirms. Throws letters.not_offered, and excerpt.link_over. */
export async function confirmTick(services: CommerceShop, token: string): Promise<AskedSubscriber> {
  const now = services.clock()
  return services.db.transaction(async (tx) => {
    const tick = findTick(services, requireLink(await lockLinkedExcerpt(tx, token, now)))
    if (!tick) throw readerProblem('letters.not_offered')
    return confirmMailedTick(tx, tick, now)
  })
}

const claim = z.union([z.object({ request_id: z.uuid() }), sessionClaim])

/** A link to the file that works for some minutes, counted. Throws excerpt.link_over, excerpt.removed and excerpt.used_up. */
export async function requestExcerptFile(services: CommerceShop, token: string): Promise<Download> {
  const { db, clock } = services
  const { id } = requireLink(await findLinkedExcerpt(db, token, clock()))
  const { file, stored } = await requireFile(services)
  if (!(await countExcerptDownload(db, id))) throw readerProblem('excerpt.used_up')
  return {
    url: `/api/excerpt-files/${signLink(services, 'excerpts', { request_id: id })}`,
    file_name: await fileNameOf(services, file),
    file_size: stored.size,
    expires_in: linkSeconds.excerpts,
  }
}

/** A link for the author, as long as the session and the role last that asked for it. */
export async function requestExcerptByAdmin(
  services: CommerceShop,
  holder: LinkHolder,
): Promise<{ url: string }> {
  await requireFile(services)
  return { url: `/api/excerpt-files/${writeLink(services, 'excerpts', holder, null)}` }
}

/** An address that was erased meanwhile has no link any more. */
export async function openExcerptFile(services: CommerceShop, token: string) {
  const holder = readClaim(services, 'excerpts', token, claim)
  if ('request_id' in holder)
    requireLink(await findExcerptRequest(services.db, holder.request_id, services.clock()))
  else if (!(await requireHolder(services, holder)).is_admin) throw platformProblem('access.forbidden')
  const { file, stored } = await requireFile(services)
  const { file_path, file_format } = file
  const file_name = await fileNameOf(services, file)
  return { ...stored, file_path, file_name, media_type: mediaTypes[file_format] }
}

async function requireFile({ db, storage, log }: CommerceShop) {
  const file = await findExcerpt(db)
  if (!file) throw readerProblem('excerpt.removed')
  const stored = await storage.stat(file.file_path)
  if (stored) return { file, stored }
  log.error({ file_path: file.file_path }, 'the excerpt is not in storage')
  throw deliveryProblem('downloads.unavailable')
}

async function fileNameOf({ book }: CommerceShop, { file_format }: StoredExcerpt): Promise<string> {
  const { shown, wording } = await book.get()
  const name = withTexts(wording, () => fill(excerptTexts.fileName, { book: shown.title }))
  return `${name}.${file_format}`
}

export async function describeExcerpt(services: CommerceShop): Promise<ExcerptState> {
  const { db, book, mail } = services
  const [file, requests, { is_own }] = await Promise.all([
    findExcerpt(db),
    db.$count(excerpt_requests),
    book.get(),
  ])
  const excerpt = file && {
    file_format: file.file_format,
    file_size: file.file_size,
    file_name: await fileNameOf(services, file),
    findings: file.findings,
    created_at: file.created_at.toISOString(),
    sold_as: (await findSoldAs(services, file)) ?? null,
  }
  return { excerpt: excerpt ?? null, requests, is_own_book: is_own, sends_mail: mail.sendsMail() }
}
