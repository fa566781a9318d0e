// The acknowledgement of a withdrawal that was declared on a page: the same words whether or not there is such an order.
import { eq, and, isNull, isNotNull } from 'drizzle-orm'
import { z } from 'zod'
import { defineMailJob } from '#domains/mail/sending.ts'
import { withdrawal_declarations as declarations } from '#tables/orders.ts'
import { checkouts } from '#tables/payments.ts'
import {
  closeDeclaration,
  makeDeclarationToken,
  insertDeclaration,
  listDeclaredOrders,
  readDeclaration,
  requireDeclaration,
} from '#domains/orders/withdrawal-declarations.ts'
import { fill } from '#words/texts.ts'
import { orderProblem } from '#domains/orders/problem.ts'
import { type Actor, recordAuditEvent } from '#platform/audit-log.ts'
import {
  declarationDays,
  type DeclarationReceived,
  type ProvenDeclaration,
} from '#contract/orders/declarations.ts'
import { formatDeclared } from '#contract/intl.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { emailsTexts } from '#words/emails.ts'
import { Postponed } from '#platform/queue.ts'
import { isMailLimit, limitMail } from '#domains/accounts/mail-limits.ts'
import { button, facts, help, paragraph, quiet } from '#domains/mail/email-blocks.ts'
import { renderEmail } from '#domains/mail/email-layout.ts'
import { plainLine } from '#domains/mail/plain-line.ts'
import { currentSaleMode } from '#domains/catalog/sale-mode.ts'
import { getPurchase } from '#domains/orders/purchases.ts'
import type { CommerceShop } from '#domains/book/shop.ts'
import { declareWithdrawal, findBuyer } from './withdrawals.ts'

export const declarationMailJob = defineMailJob({
  name: 'mail.withdrawal_declared',
  kinds: ['withdrawal_declared'],
  /** `network`: of who declared it, where a limit of mails was reached; the job waits until it is not. */
  payload: z.object({ declaration_id: z.uuid(), network: z.string().optional() }),
  async before(services: CommerceShop, { declaration_id, network }) {
    const email = network && (await find(services, declaration_id))?.email
    if (!email) return
    const device = { ip: '', network, user_agent: null, id_hash: undefined }
    await limitMail(services, { email, purpose: 'withdrawal' }, device).catch((error: unknown) => {
      // Hour by hour, until the limit allows it or the declaration is deleted.
      throw isMailLimit(error) ? new Postponed('A limit of emails is reached.') : error
    })
  },
  async compose(services: CommerceShop, { declaration_id }, branding) {
    const declaration = await find(services, declaration_id)
    if (!declaration) return undefined
    const { name, email, number, ordered, declared_at } = declaration
    const token = await makeDeclarationToken(services, declaration_id)
    const texts = emailsTexts.withdrawalDeclared
    const rendered = await renderEmail({
      subject: texts.subject,
      preview: fill(emailsTexts.withdrawal.preview, { date: formatDeclared(declared_at, branding.timeZone) }),
      title: emailsTexts.withdrawal.title,
      branding,
      children: [
        paragraph(emailsTexts.shared.hello),
        paragraph(texts.declared),
        facts([
          [emailsTexts.withdrawal.received, formatDeclared(declared_at, branding.timeZone)],
          [texts.name, plainLine(name, 200)],
          [texts.email, email],
          [emailsTexts.shared.order, number === null ? plainLine(ordered, 300) : formatOrderNumber(number)],
        ]),
        paragraph(texts.confirm),
        // Browsers send the fragment to no server.
        button(texts.button, `${branding.siteUrl}/withdraw#${token}`),
        quiet(fill(texts.days, { days: declarationDays })),
        quiet(texts.unknown),
        help(),
      ],
    })
    return {
      kind: 'withdrawal_declared',
      email: { ...rendered, to: email, replyTo: branding.authorEmail },
      isUnimportant: true,
    }
  },
})

async function find({ db }: Pick<Parameters<typeof limitMail>[0], 'db'>, id: string) {
  const [row] = await db.select().from(declarations).where(eq(declarations.id, id))
  return row
}

type Declared = {
  name: string
  email: string
  order: string
  /** The network of the sender, where a limit of mails was reached. */
  network: string | undefined
}

/** Stored and acknowledged whatever it names, and whoever asks: it does nothing before a proof. */
export async function receiveDeclaration(
  services: CommerceShop,
  { network, ...typed }: Declared,
): Promise<Pick<DeclarationReceived, 'id' | 'declared_at'>> {
  if (!(await takesMoney(services))) throw orderProblem('withdrawals.not_offered')
  return services.db.transaction(async (tx) => {
    const { id, declared_at, isNew } = await insertDeclaration(tx, typed)
    if (!isNew) return { id, declared_at }
    await services.queue.enqueue(tx, declarationMailJob, { declaration_id: id, ...(network && { network }) })
    return { id, declared_at }
  })
}

/** True also for a shop that has taken some: contracts outlive a key. */
async function takesMoney(services: CommerceShop): Promise<boolean> {
  const mode = await currentSaleMode(services)
  if (mode === 'paid' || mode === 'key_missing') return true
  return (await services.db.$count(checkouts, isNotNull(checkouts.payment_intent))) > 0
}

/** Shows what the link of its acknowledgement can do, or has done. Throws withdrawals.link_over. */
export async function lookAtDeclaration(services: CommerceShop, token: string): Promise<ProvenDeclaration> {
  const { purchase_id, ...declaration } = await readDeclaration(services, token)
  const purchase = purchase_id ? await getPurchase(services.db, purchase_id) : undefined
  return { ...declaration, withdrawal: purchase?.withdrawal ?? null }
}

/** Proves it by the link of its acknowledgement, for an order under that address. */
export async function proveDeclaration(
  services: CommerceShop,
  { token, purchase_id, ip }: { token: string; purchase_id: string; ip: string | null },
) {
  const { id, email, declared_at, purchase_id: effective } = await requireDeclaration(services, token)
  const buyer = await findBuyer(services, purchase_id)
  if (buyer?.email !== email) throw orderProblem('purchases.not_found')
  const { user_id } = buyer
  // One that has taken effect is confirmed again: its page may have lost the response.
  const orders = effective ? [] : await listDeclaredOrders(services.db, id)
  const isMeant = orders.some((order) => order.id === purchase_id && order.is_of_address)
  if (isMeant || effective === purchase_id) {
    const declaration = { id, declared_at, is_accepted: false }
    const request = { purchase_id, user_id, reason: '', declaration }
    await declareWithdrawal(services, { id: user_id, email, ip }, request)
  }
  const { withdrawal } = await getPurchase(services.db, purchase_id)
  // Null where the declaration means other orders; another press at the same moment leaves one.
  if (!withdrawal) throw orderProblem('purchases.not_found')
  return withdrawal
}

/** The author's word instead of a proof. Throws payments.not_waiting. */
export async function acceptDeclaration(
  services: CommerceShop,
  actor: Actor,
  { id, purchase_id }: { id: string; purchase_id: string },
): Promise<void> {
  const { db } = services
  const [row] = await db.select().from(declarations).where(isOpen(id))
  const orders = row ? await listDeclaredOrders(db, id) : []
  const owner = await findBuyer(services, purchase_id)
  if (!row || !owner || orders.every((order) => order.id !== purchase_id))
    throw orderProblem('payments.not_waiting')
  const declaration = { id, declared_at: row.declared_at, is_accepted: true }
  const request = { purchase_id, user_id: owner.user_id, reason: '', declaration }
  await declareWithdrawal(services, actor, request)
}

export async function dismissDeclaration(
  { db, clock }: CommerceShop,
  actor: Actor,
  id: string,
  note: string,
) {
  await db.transaction(async (tx) => {
    const { email } = await closeDeclaration(tx, id, clock())
    await recordAuditEvent(tx, actor, {
      action: 'withdrawals.dismissed',
      subject: email,
      subject_id: id,
      detail: { note },
    })
  })
}

const isOpen = (id: string) => and(eq(declarations.id, id), isNull(declarations.closed_at))
