// A new product with the words of one that is there.
import { eq, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import { recordAuditEvent, type Actor } from '../audit/audit-log.ts'
import type { WithCatalogue } from './catalogue.ts'
import { lockCatalogue, setIsDigital } from './delivery.ts'
import { products } from './schema.ts'

const suffix = ' (copy)'
const maxName = 200

/**
 * Its id. The words, the price and the parts of a bundle are copied; files, cover and sales are not. Hidden until the
 * author shows it.
 */
export async function copyProduct(
  { db, catalogue }: Pick<Services, 'db'> & WithCatalogue,
  actor: Actor,
  source_id: string,
): Promise<string> {
  const id = uuidv7()
  await db.transaction(async (tx) => {
    await lockCatalogue(tx)
    const [source] = await tx.select().from(products).where(eq(products.id, source_id))
    if (!source) throw new Problem('products.not_found')
    const { description, price, format, contents } = source
    const name = source.name.slice(0, maxName - suffix.length).toWellFormed() + suffix
    const is_digital = format === 'digital'
    await tx
      .insert(products)
      .values({ id, name, description, price, format, contents, is_digital, is_for_sale: false })
    await tx.execute(sql`
      insert into bundle_items (bundle_id, product_id)
      select ${id}, product_id from bundle_items where bundle_id = ${source_id}`)
    await setIsDigital(tx, id)
    await recordAuditEvent(tx, actor, {
      action: 'products.copied',
      subject: name,
      subject_id: id,
      detail: { of: source.name },
    })
  })
  await catalogue.refresh()
  return id
}
