// The setup of a new shop: the first admin, the first steps, and the opening with the author's book.
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db, Transaction } from '#platform/db/client.ts'
import { queryOne, queryAll } from '#platform/db/query.ts'
import { isSignedBy, knownSecrets, sign, type Secret } from '#platform/secret.ts'
import type { Actor } from '#platform/audit-log.ts'
import { lockAdmins } from '#domains/accounts/admin-rights.ts'
import { createUser } from '#domains/accounts/users.ts'
import { type SetupShop, setupProblem } from './shop.ts'
import type { SetupRequest, FirstSteps, OpeningCheck } from '#contract/setup/setup.ts'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { Readable } from 'node:stream'
import {
  fileFormat,
  isOnPaper,
  type SaleMode,
  formats,
  type Format,
  type Product,
  asListed,
} from '#contract/catalog/products.ts'
import { currentSaleMode, saleModeOf } from '#domains/catalog/catalogue.ts'
import { sampleFiles, listSampleProducts } from '#domains/catalog/seed.ts'
import { logInToMailServer } from '#platform/mail.ts'
import { Problem } from '#platform/problem.ts'
import { paymentKeys, unconfirmedCopyOf } from '#platform/stripe/payments.ts'
import { explainRefusal } from '#domains/mail/mail-setup.ts'
import { findKeyProblem } from '#domains/settings/payment-setup.ts'
import { readShippingTerms } from '#domains/orders/shipping.ts'
import { shippingRange } from '#contract/orders/prices.ts'
import { readStoredSetup, type StoredSetup, listOwnProducts, changeSetup } from './book-setup.ts'
import type { Pool } from 'pg'
import { readFieldProblems } from '#contract/field-rules.ts'
import { bookProblem } from '#domains/book/published-book.ts'
import { bookDocument, fullTitle, type BookDocument } from '#contract/book/book.ts'
import { publishDraft, readDraft } from '#domains/book/drafts.ts'
import { saveFile } from '#domains/files/file-import.ts'
import { addProduct, ebookImport, saveEdition, type StoredEdition } from '#domains/catalog/products.ts'
import { changeProduct, putOnSale, setArchived, setParts } from '#domains/catalog/change-products.ts'
import { formatsTexts } from '#words/buying.ts'
import { withTexts, wordingOf } from '#words/wording.ts'
import { stopCountingSample } from '#domains/settings/sums-settings.ts'

// The link with which the first admin account is made. It is valid for a day and only while there is no admin, so the
// account that it makes ends it. Nothing about it is stored.

const validMs = 24 * 3_600_000
const purpose = 'setup link'

/** The token is in the fragment, which browsers do not send: it is in no log of a server or proxy. */
export function createSetupLink(services: SetupShop): string {
  return `${services.settings.get().shop.site_url}/setup#${createToken(services)}`
}

function createToken(services: SetupShop): string {
  const expires = String(services.clock().getTime() + validMs)
  return `${expires}.${sign(services.secret.key(purpose), expires)}`
}

/** A restore that has begun may end after the day of its link. */
const begunMs = validMs

type Validity = { secrets: readonly Secret[]; extraMs: number }

function isValid({ clock }: SetupShop, token: string, { secrets, extraMs }: Validity): boolean {
  const [expires = '', signature = '', ...rest] = token.split('.')
  const isSigned = secrets.some((secret) => isSignedBy(secret.key(purpose), expires, signature))
  return rest.length === 0 && isSigned && Number(expires) + extraMs > clock().getTime()
}

/** Also where a restore has replaced the secret that has signed it: such a link may only see that the restore has ended. */
export function isLinkOfMachine(services: SetupShop, token: string): boolean {
  const secrets = [services.secret, ...knownSecrets(services.config)]
  return isValid(services, token, { secrets, extraMs: begunMs })
}

export async function requireSetupLink(
  services: SetupShop,
  token: string,
  { hasBegun = false } = {},
): Promise<void> {
  const extraMs = hasBegun ? begunMs : 0
  if (!isValid(services, token, { secrets: [services.secret], extraMs }))
    throw setupProblem('setup.link_invalid')
  if (await hasAdmin(services.db)) throw setupProblem('setup.finished')
}

export async function setUp(
  services: SetupShop,
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
        if (await hasAdmin(tx)) throw setupProblem('setup.finished')
      },
    },
  )
}

export async function hasAdmin(db: Db | Transaction): Promise<boolean> {
  const query = sql`select exists (select from user_roles where role = 'admin') as has_admin`
  const { has_admin } = await queryOne(db, z.object({ has_admin: z.boolean() }), query)
  return has_admin
}

export async function readFirstSteps(services: SetupShop): Promise<FirstSteps> {
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

async function readFacts(db: SetupShop['db']) {
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
      exists (select from purchases where is_completed(status) and not is_given) as has_purchase`,
  )
}

/** By content: the sample under another name is the sample, and a file of the same name may be another book. */
async function sellsSample({ db, storage }: SetupShop): Promise<boolean> {
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

export async function checkOpening(services: SetupShop): Promise<OpeningCheck> {
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

async function checkMail(services: SetupShop): Promise<OpeningCheck['mail']> {
  try {
    return { state: (await logInToMailServer(services)) ? 'works' : 'not_set_up', answer: '' }
  } catch (error) {
    const { answer, advice } = explainRefusal(error)
    return { state: 'refused', answer: `${answer} ${advice}`.trim() }
  }
}

async function checkPayments(
  { settings, config }: SetupShop,
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
  { db, uploads }: SetupShop,
  { offers, file }: StoredSetup,
): Promise<OpeningCheck['file']> {
  if (!offers.some(({ format }) => format === 'digital')) return null
  const own = (await listOwnProducts(db)).find(({ format }) => format === 'digital')
  if (own?.editions.length) return own.delivery_gap === null ? 'ready' : 'missing'
  return file && (await uploads.find(file.upload_id)) ? 'ready' : 'missing'
}

function findParcel(services: SetupShop, { offers }: StoredSetup, mode: SaleMode): OpeningCheck['parcel'] {
  if (!offers.some(({ format }) => isOnPaper(format))) return null
  const terms = readShippingTerms(services, mode)
  const { min, max } = shippingRange(terms)
  return { countries: terms.countries, min_price: min, max_price: max }
}

// Opening the shop with the author's book: its products go on sale, the sample's are archived, its words are published.

/**
 * First the author's file is stored, which may take minutes; then one transaction does the rest. Killed at any moment,
 * the shop is as before or open, and the upload is there for the next call.
 */
export async function openWithOwnBook(services: SetupShop, revision: number, actor: Actor): Promise<void> {
  const { db, database, uploads } = services
  await using _opening = await lockOpening(database.pool)
  const { title, setup } = await requireReady(db, revision)
  const open = (tx: Transaction, file?: StoredEdition) => openIn(tx, services, { revision, actor, file })
  const upload_id = setup.file && (await needsFile(db, setup.offers)) ? setup.file.upload_id : undefined
  const upload = upload_id && (await uploads.find(upload_id))
  if (upload) await saveFile(services, upload, ebookImport(services, title, open))
  else await db.transaction((tx) => open(tx))
  // What cannot be removed now is swept later.
  if (upload)
    await uploads.claim(upload_id).then(
      (claimed) => claimed.remove(),
      () => undefined,
    )
  await services.book.refresh()
  await services.catalogue.refresh()
}

/** A second caller is refused in every process. The lock ends with the connection, and so with a killed process. */
async function lockOpening(pool: Pool): Promise<AsyncDisposable> {
  const client = await pool.connect()
  const key = `hashtext('lectern book setup')`
  const { rowCount } = await client.query(
    `select from (select pg_try_advisory_lock(${key}) as is_taken) lock where is_taken`,
  )
  if (!rowCount) {
    client.release()
    throw setupProblem('setup.opening')
  }
  return {
    async [Symbol.asyncDispose]() {
      const isFree = await client.query(`select pg_advisory_unlock(${key})`).catch(() => undefined)
      client.release(isFree === undefined)
    },
  }
}

async function requireReady(db: Db | Transaction, revision: number) {
  const setup = await readStoredSetup(db)
  if (setup.step === 'done') throw setupProblem('setup.opened')
  const { document, revision: newest } = await readDraft(db)
  if (newest !== revision) throw bookProblem('book.changed_elsewhere')
  const complete = bookDocument.safeParse(document)
  if (!complete.success) throw bookProblem('book.unfinished', { fields: readFieldProblems(complete.error) })
  if (setup.offers.length === 0) throw setupProblem('setup.nothing_for_sale')
  return { setup, title: fullTitle(document), wording: wordingOf(document) }
}

async function needsFile(db: Db, offers: readonly { format: string }[]): Promise<boolean> {
  const own = (await listOwnProducts(db)).find(({ format }) => format === 'digital')
  return offers.some(({ format }) => format === 'digital') && !own?.editions.length
}

type Opening = { revision: number; actor: Actor; file: StoredEdition | undefined }

async function openIn(tx: Transaction, outer: SetupShop, { revision, actor, file }: Opening): Promise<void> {
  // The transactions of the calls below are parts (savepoints) of this one; nobody sees their changes before its commit.
  const unchanged = { refresh: () => Promise.resolve() }
  const services = {
    ...outer,
    db: tx,
    book: { ...outer.book, ...unchanged },
    catalogue: { ...outer.catalogue, ...unchanged },
  }
  const { title, setup, wording } = await requireReady(tx, revision)
  const samples = await listSampleProducts(tx)
  const own = await listOwnProducts(tx)
  const offered: string[] = []
  // The bundle is the last format: it holds the others.
  for (const format of formats) {
    const chosen = setup.offers.find((each) => each.format === format)
    if (!chosen) continue
    const edition = format === 'digital' ? file : undefined
    const before = own.find((product) => product.format === format)
    const name = withTexts(wording, () => offerName(title, format))
    const added = { ...chosen, name, description: '', contents: [], is_for_sale: false }
    const id = before?.id ?? (await addProduct(services, actor, added, edition))
    if (before) {
      await changeProduct(services, actor, id, { price: chosen.price })
      if (edition) await saveEdition(tx, services, actor, before, edition)
    }
    if (format === 'bundle') await setParts(services, actor, id, offered)
    offered.push(id)
  }
  for (const id of samples) await setArchived(services, actor, id, true)
  await stopCountingSample(tx)
  await publish(services, revision, actor)
  await changeSetup(tx, services.clock, { step: 'done', file: null })
  await putOnSale(tx, offered)
}

function offerName(title: string, format: Format): string {
  return format === 'digital' ? title : `${title} (${formatsTexts.names[format]})`
}

/** The author may have published the book before. */
async function publish(services: SetupShop, revision: number, actor: Actor): Promise<void> {
  try {
    await publishDraft(services, revision, actor, stopCountingSample)
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'book.nothing_to_publish') throw error
  }
}

// What the preview of the draft offers while the setup is under way: the author's own choice, nothing of the sample.

/** Undefined where no setup is under way: the preview then shows what the shop sells. */
export async function listPreviewProducts(services: SetupShop): Promise<Product[] | undefined> {
  const setup = await readStoredSetup(services.db)
  if (setup.step === 'done' || (!setup.file && setup.offers.length === 0)) return undefined
  const { document } = await readDraft(services.db)
  const mode = saleModeOf(services, true)
  return withTexts(wordingOf(document), () =>
    setup.offers.map((offer) => asListed(toProduct(offer, setup, fullTitle(document)), mode)),
  )
}

/** Until something is chosen, the preview has no section that would say that nothing is for sale. */
export function hideEmptySection(document: BookDocument, products: Product[] | undefined): BookDocument {
  if (products?.length !== 0) return document
  const sections = document.sections.map((section) =>
    section.name === 'purchase' ? { ...section, is_shown: false } : section,
  )
  return { ...document, sections }
}

type Offer = StoredSetup['offers'][number]

function toProduct({ format, price }: Offer, { offers, file }: StoredSetup, title: string): Product {
  const parts =
    format === 'bundle' ? offers.flatMap((each) => (each.format === 'bundle' ? [] : [each.format])) : []
  const held = format === 'bundle' ? parts : [format]
  const is_digital = held.includes('digital')
  return {
    id: format,
    name: offerName(title, format),
    description: '',
    price,
    format,
    is_digital,
    ships: held.some(isOnPaper),
    is_sold_out: false,
    cover_url: null,
    cover: null,
    parts,
    holds: parts,
    file_formats: is_digital && file ? [file.book.file_format] : [],
    contents: [],
    bonuses: [],
  }
}
