// The checks before the opening: what a visitor would meet if the shop opened now.
import type { SetupShop } from './shop.ts'
import type { BookDocument } from '#contract/book/book.ts'
import { isReady } from '#contract/book/legal.ts'
import { ok, warn, type Verdict } from '#contract/checks.ts'
import { manualPath } from '#contract/overview/manual.ts'
import { readDraft } from '#domains/book/drafts.ts'
import type { OpeningCheck } from '#contract/setup/setup.ts'
import type { SaleMode } from '#contract/catalog/products.ts'
import { isOnPaper } from '#contract/catalog/formats.ts'
import { saleModeOf } from '#domains/catalog/sale-mode.ts'
import { checkMail } from '#domains/mail/mail-check.ts'
import { checkPayments } from '#domains/payments/payment-checks.ts'
import { filesVerdict } from '#domains/overview/files-check.ts'
import { listEuPaperLacks } from '#domains/overview/eu-paper-lacks.ts'
import { findTaxQuestion } from '#domains/overview/tax-question.ts'
import { readShippingTerms } from '#domains/orders/shipping.ts'
import { shippingRange } from '#contract/orders/prices.ts'
import { readStoredSetup, type StoredSetup, listOwnProducts } from './book-setup.ts'

export async function checkOpening(services: SetupShop): Promise<OpeningCheck> {
  const setup = await readStoredSetup(services.db)
  // The mode is that of the open shop: until then it is the sample's.
  const mode = saleModeOf(services, true)
  const [mail, payments, file, { document }] = await Promise.all([
    checkMail(services),
    checkPayments(services, mode),
    checkFile(services, setup),
    readDraft(services.db),
  ])
  const parcel = findParcel(services, setup, mode)
  const offered = setup.offers.map(({ format }) => ({ ships: isOnPaper(format) }))
  const book = { is_own: true, document }
  const tax_question = findTaxQuestion(services, book, offered)
  const eu_paper_lacks = await listEuPaperLacks(services, book, offered)
  return { mail, payments, file, parcel, tax_question, eu_paper_lacks, legal: legalVerdict(document) }
}

/** Which of the two a shop needs is a question of its country's law. */
function legalVerdict({ legal }: BookDocument): Verdict {
  const missing = [
    ...(isReady('imprint', legal) ? [] : ['imprint']),
    ...(isReady('privacy', legal) ? [] : ['privacy policy']),
  ]
  if (missing.length === 0) return ok('imprint and privacy policy are linked at the foot of your page')
  const [pages, them] = missing.length === 1 ? ['one', 'it'] : ['both', 'them']
  const needsHost = !isReady('privacy', legal) && !legal.blanks.host
  return warn(
    `your page has no ${missing.join(' and no ')}`,
    `The law of many countries asks for ${pages}. Tick ${them} in step 3, under “Who sells, and where?”, and fill in what is still asked for there.${needsHost ? ' The privacy policy names who runs the server: the field for it appears once you tick that page.' : ''}`,
    { actions: [{ label: 'What to ask about the law', to: manualPath('page') }] },
  )
}

async function checkFile(services: SetupShop, setup: StoredSetup): Promise<OpeningCheck['file']> {
  // The file of a pre-order is due on its day.
  if (!setup.offers.some(({ format, release_on }) => format === 'digital' && release_on === null)) return null
  return filesVerdict((await hasFile(services, setup)) ? [] : ['the digital book'], 1)
}

async function hasFile({ db, uploads }: SetupShop, { file }: StoredSetup): Promise<boolean> {
  const own = (await listOwnProducts(db)).find(({ format }) => format === 'digital')
  if (own?.editions.length) return own.delivery_gap === null
  return Boolean(file && (await uploads.find(file.upload_id)))
}

function findParcel(services: SetupShop, { offers }: StoredSetup, mode: SaleMode): OpeningCheck['parcel'] {
  if (!offers.some(({ format }) => isOnPaper(format))) return null
  const terms = readShippingTerms(services, mode)
  const { min, max } = shippingRange(terms)
  return { countries: terms.countries, min_price: min, max_price: max }
}
