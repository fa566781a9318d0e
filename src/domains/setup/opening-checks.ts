// The checks before the opening: they ask the mail server and Stripe, and look for the file, so that the author knows what a
// visitor would meet.
import type { SetupShop } from './shop.ts'
import type { OpeningCheck } from '#contract/setup/setup.ts'
import { isOnPaper, type SaleMode } from '#contract/catalog/products.ts'
import { saleModeOf } from '#domains/catalog/sale-mode.ts'
import { logInToMailServer } from '#platform/mail.ts'
import { Problem } from '#platform/problem.ts'
import { paymentKeys, unconfirmedCopyOf } from '#platform/stripe/payments.ts'
import { explainRefusal } from '#domains/mail/mail-trial.ts'
import { findKeyProblem } from '#domains/settings/payment-setup.ts'
import { readShippingTerms } from '#domains/orders/shipping.ts'
import { shippingRange } from '#contract/orders/prices.ts'
import { readStoredSetup, type StoredSetup, listOwnProducts } from './book-setup.ts'

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
