// The products in the preview of the draft while the setup is under way: the author’s own choice, nothing of the sample.
import type { SetupShop } from './shop.ts'
import { type Product, asListed } from '#contract/catalog/products.ts'
import { isOnPaper } from '#contract/catalog/formats.ts'
import { saleModeOf } from '#domains/catalog/sale-mode.ts'
import { readStoredSetup, type StoredSetup } from './book-setup.ts'
import { fullTitle, type BookDocument } from '#contract/book/book.ts'
import { readDraft } from '#domains/book/drafts.ts'
import { loadWording, withTexts } from '#words/wording.ts'
import { offerName } from './opening.ts'

/** Undefined where no setup is under way: the preview then shows what the shop sells. */
export async function listPreviewProducts(services: SetupShop): Promise<Product[] | undefined> {
  const setup = await readStoredSetup(services.db)
  if (setup.step === 'done' || (!setup.file && setup.offers.length === 0)) return undefined
  const { document } = await readDraft(services.db)
  const mode = saleModeOf(services, true)
  return withTexts(await loadWording(document), () =>
    setup.offers.map((offer) => asListed(toProduct(offer, setup, fullTitle(document)), mode)),
  )
}

/** The preview has no section that would say that nothing is for sale until something is chosen. */
export function hideEmptySection(document: BookDocument, products: Product[] | undefined): BookDocument {
  if (products?.length !== 0) return document
  const sections = document.sections.map((section) =>
    section.name === 'purchase' ? { ...section, is_shown: false } : section,
  )
  return { ...document, sections }
}

type Offer = StoredSetup['offers'][number]

function toProduct(
  { format, price, release_on }: Offer,
  { offers, file }: StoredSetup,
  title: string,
): Product {
  const parts =
    format === 'bundle' ? offers.flatMap((each) => (each.format === 'bundle' ? [] : [each.format])) : []
  const held = format === 'bundle' ? parts : [format]
  const is_digital = held.includes('digital')
  // A bundle is complete once all that it holds is out.
  const days = offers.flatMap((each) =>
    format === 'bundle' || each.format === format ? (each.release_on ?? []) : [],
  )
  const on = days.toSorted().at(-1)
  return {
    id: format,
    name: offerName(title, format),
    description: '',
    price,
    format,
    is_digital,
    ships: held.some(isOnPaper),
    is_sold_out: false,
    ...(on !== undefined && { release: { on, is_partial: release_on === null } }),
    cover_url: null,
    cover: null,
    parts,
    holds: parts,
    file_formats: is_digital && file ? [file.book.file_format] : [],
    contents: [],
    bonuses: [],
  }
}
