// What a book on paper lacks that is sold into the European Union, which Today and the checks before the opening name.
import type { Product } from '#contract/catalog/products.ts'
import { euPaperLack, type EuPaperLack } from '#contract/overview/today.ts'
import type { PublishedBook } from '#domains/book/published-book.ts'
import { lacksMaker, readDeliveryDays, sellsPaperToEu } from '#domains/orders/eu-paper.ts'
import { readNotice } from '#domains/settings/guarantee-notice.ts'
import type { BackupShop } from '#domains/backup/shop.ts'

export async function listEuPaperLacks(
  services: BackupShop,
  book: Pick<PublishedBook, 'is_own' | 'document'>,
  products: readonly Pick<Product, 'ships'>[] | undefined,
): Promise<EuPaperLack[]> {
  if (!sellsPaperToEu(services, book, products)) return []
  const { notice } = await readNotice(services)
  const lacks: Record<EuPaperLack, boolean> = {
    notice: notice === null,
    maker: lacksMaker(book.document.legal),
    delivery_time: readDeliveryDays(services) === null,
  }
  return euPaperLack.options.filter((each) => lacks[each])
}
