// The link with which the first admin account is made. It is valid for a day and only while there is no admin, so the
// account that it makes ends it. Nothing about it is stored.
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db, Transaction } from '#platform/db/client.ts'
import { queryOne, queryAll } from '#platform/db/query.ts'
import { isSignedBy, sign } from '#platform/secret.ts'
import type { Actor } from '#platform/audit-log.ts'
import { lockAdmins } from '#domains/accounts/admin-rights.ts'
import { createUser } from '#domains/accounts/users.ts'
import { operationProblem } from './problem.ts'
import type { SetupRequest, FirstSteps, OpeningCheck } from '#contract/operations/setup.ts'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { Readable } from 'node:stream'
import { fileFormat, isOnPaper, type SaleMode } from '#contract/catalog/products.ts'
import { currentSaleMode, saleModeOf } from '#domains/catalog/sale-mode.ts'
import { sampleFiles } from '#domains/catalog/seed.ts'
import { logInToMailServer } from '#platform/mail.ts'
import { Problem } from '#platform/problem.ts'
import { paymentKeys, unconfirmedCopyOf } from '#platform/stripe/payment-keys.ts'
import { explainRefusal } from '#domains/mail/mail-setup.ts'
import { findKeyProblem } from './payment-setup.ts'
import { readShippingTerms } from '#domains/orders/shipping.ts'
import { shippingRange } from '#contract/orders/prices.ts'
import { readStoredSetup, type StoredSetup, listOwnProducts } from './book-setup.ts'
import type { OperationsShop } from './shop.ts'

const validMs = 24 * 3_600_000
const purpose = 'setup link'

/** The token is in the fragment, which browsers do not send: it is in no log of a server or proxy. */
export function createSetupLink(services: OperationsShop): string {
  return `${services.settings.get().shop.site_url}/setup#${createToken(services)}`
}

function createToken(services: OperationsShop): string {
  const expires = String(services.clock().getTime() + validMs)
  return `${expires}.${sign(services.secret.key(purpose), expires)}`
}

function isValid({ secret, clock }: OperationsShop, token: string): boolean {
  const [expires = '', signature = '', ...rest] = token.split('.')
  const isSigned = isSignedBy(secret.key(purpose), expires, signature)
  return rest.length === 0 && isSigned && Number(expires) > clock().getTime()
}

export async function requireSetupLink(services: OperationsShop, token: string): Promise<void> {
  if (!isValid(services, token)) throw operationProblem('setup.link_invalid')
  if (await hasAdmin(services.db)) throw operationProblem('setup.finished')
}

export async function setUp(
  services: OperationsShop,
  { token, ...account }: SetupRequest,
  ip: string | null,
): Promise<void> {
  await requireSetupLink(services, token)
  const actor: Actor = { id: null, email: 'setup link', ip }
  await createUser(
    services,
    actor,
    { ...account, role: 'admin', isOwnPassword: true },
    {
      async before(tx) {
        await lockAdmins(tx)
        if (await hasAdmin(tx)) throw operationProblem('setup.finished')
      },
    },
  )
}

export async function hasAdmin(db: Db | Transaction): Promise<boolean> {
  const query = sql`select exists (select from user_roles where role = 'admin') as has_admin`
  const { has_admin } = await queryOne(db, z.object({ has_admin: z.boolean() }), query)
  return has_admin
}

export async function readFirstSteps(services: OperationsShop): Promise<FirstSteps> {
  const { db, mail, payments } = services
  const [facts, isSample] = await Promise.all([readFacts(db), sellsSample(services)])
  return {
    steps: [
      { name: 'admin', is_done: facts.has_admin },
      { name: 'words', is_done: facts.has_words },
      { name: 'book', is_done: facts.has_book && !isSample },
      { name: 'mail', is_done: !mail.isKept() },
      { name: 'payments', is_done: payments.mode() === 'live' },
      { name: 'purchase', is_done: facts.has_purchase },
    ],
    payments: payments.mode(),
    sale_mode: await currentSaleMode(services),
  }
}

async function readFacts(db: OperationsShop['db']) {
  const facts = z.object({
    has_admin: z.boolean(),
    has_words: z.boolean(),
    has_book: z.boolean(),
    has_purchase: z.boolean(),
  })
  return queryOne(
    db,
    facts,
    sql`
    select exists (select from user_roles where role = 'admin') as has_admin,
      exists (select from book_versions) as has_words,
      -- Its file is there, or it is sold on paper alone.
      (select coalesce(not bool_or(is_digital) or bool_or(is_digital and delivery_gap(products) is null), false)
        from products where archived_at is null) as has_book,
      exists (
        select from purchases join user_roles using (user_id)
        where role = 'admin' and is_completed(status) and not is_given
      ) as has_purchase`,
  )
}

/** By content: the sample under another name is the sample, and a file of the same name may be another book. */
async function sellsSample({ db, storage }: OperationsShop): Promise<boolean> {
  const query = sql`
    select distinct on (f.product_id, f.file_format) f.file_path, f.file_format
    from product_files f join products p on p.id = f.product_id
    where p.archived_at is null
    order by product_id, file_format, f.created_at desc, f.id desc limit 50`
  const files = await queryAll(db, z.object({ file_path: z.string(), file_format: fileFormat }), query)
  for (const { file_path, file_format } of files) {
    for (const sample of sampleFiles.filter((each) => each.file_format === file_format)) {
      const [stored, own] = await Promise.all([storage.stat(file_path), stat(sample.source)])
      if (stored?.size !== own.size) continue
      const [a, b] = await Promise.all([
        storage.read(file_path).then(digest),
        digest(createReadStream(sample.source)),
      ])
      if (a === b) return true
    }
  }
  return false
}

async function digest(content: Readable): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(content, hash)
  return hash.digest('hex')
}

// Asks the mail server and Stripe, and looks for the file, so that the author knows what a visitor would meet.

export async function checkOpening(services: OperationsShop): Promise<OpeningCheck> {
  const setup = await readStoredSetup(services.db)
  // As it will be: until the shop opens, it is the sample's.
  const mode = saleModeOf(services, true)
  const [mail, payments, file] = await Promise.all([
    checkMail(services),
    checkPayments(services, mode),
    checkFile(services, setup),
  ])
  return { mail, payments, file, parcel: findParcel(services, setup, mode) }
}

async function checkMail(services: OperationsShop): Promise<OpeningCheck['mail']> {
  try {
    return { state: (await logInToMailServer(services)) ? 'works' : 'not_set_up', answer: '' }
  } catch (error) {
    const { answer, advice } = explainRefusal(error)
    return { state: 'refused', answer: `${answer} ${advice}`.trim() }
  }
}

async function checkPayments(
  { settings, config }: OperationsShop,
  mode: SaleMode,
): Promise<OpeningCheck['payments']> {
  if (mode === 'free' || mode === 'key_missing') return { state: mode, answer: '' }
  if (mode !== 'paid') return { state: 'not_for_sale', answer: '' }
  const keys = paymentKeys(settings)
  const copyOf = unconfirmedCopyOf(settings)
  if (!keys) return { state: 'refused', answer: 'The stored key cannot be opened any more. Paste it again.' }
  if (copyOf)
    return { state: 'refused', answer: `This shop is a copy of ${copyOf}, and nobody has confirmed it yet.` }
  try {
    const problem = await findKeyProblem({ secretKey: keys.secretKey, apiBase: config.stripe.apiBase })
    if (problem) return { state: 'refused', answer: problem }
    return { state: keys.isLive ? 'live' : 'test', answer: '' }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { state: 'unreachable', answer: '' }
  }
}

async function checkFile(
  { db, uploads }: OperationsShop,
  { offers, file }: StoredSetup,
): Promise<OpeningCheck['file']> {
  if (!offers.some(({ format }) => format === 'digital')) return null
  const own = (await listOwnProducts(db)).find(({ format }) => format === 'digital')
  if (own?.editions.length) return own.delivery_gap === null ? 'ready' : 'missing'
  return file && (await uploads.find(file.upload_id)) ? 'ready' : 'missing'
}

function findParcel(
  services: OperationsShop,
  { offers }: StoredSetup,
  mode: SaleMode,
): OpeningCheck['parcel'] {
  if (!offers.some(({ format }) => isOnPaper(format))) return null
  const terms = readShippingTerms(services, mode)
  const { min, max } = shippingRange(terms)
  return { countries: terms.countries, min_price: min, max_price: max }
}
