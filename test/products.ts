// A shop in which a user has bought the digital book, for tests of its way to the user.
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { FileFormat } from '#contract/catalog/products.ts'
import { download, type Download } from '#contract/orders/purchases.ts'
import type { PurchaseStatus } from '#contract/orders/purchase-status.ts'
import { openTestShop } from './shop.ts'
import { changePurchase, giveFile } from './factories.ts'

export async function openProductsShop(options?: Parameters<typeof openTestShop>[0]) {
  const shop = await openTestShop(options)
  const user = await shop.person()
  const { id: product_id } = await shop.product('digital')
  const purchase = await user.buy(product_id)

  async function link(file_format?: FileFormat): Promise<Download> {
    const response = await user.call('POST', `/api/purchases/${purchase.id}/download`, {
      body: { ...(file_format && { file_format }) },
    })
    expect(response.status).toBe(200)
    return download.parse(await response.json())
  }

  /** A newer edition of the book, which is what its owners get from then on. */
  async function store(content: Buffer, title: string, file_format: FileFormat = 'epub'): Promise<string> {
    const file_path = `ebooks/${randomUUID()}.${file_format}`
    await shop.services.storage.write(file_path, content)
    return giveFile(shop.services.db, { product_id, file_path, title, file_format })
  }

  const setStatus = (status: PurchaseStatus) => changePurchase(shop.services.db, purchase.id, { status })
  const fetchFile = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
    shop.call(method, url, { headers })
  const codeAt = async (url: string) => ((await (await fetchFile(url)).json()) as { code: string }).code
  return { ...shop, user, purchase, link, store, setStatus, fetchFile, codeAt }
}
