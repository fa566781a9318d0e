import { useNavigate } from 'react-router'
import type { AdminProduct } from '#contract/catalog/admin-products.ts'
import type { AdminProductsApi } from '#domains/delivery/products.routes.ts'
import { responseOf } from '../../../api.ts'
import { Card } from '../../../components/card.tsx'
import { adminClient } from '../admin-client.ts'
import { CallButton } from '../call-button.tsx'

const api = adminClient<AdminProductsApi>()

export function ProductActions({ product: { id, name, archived_at } }: { product: AdminProduct }) {
  const navigate = useNavigate()
  const product = api.products[':id']
  const param = { id }
  async function copy() {
    const copied = await responseOf(product.copies.$post({ param }))
    await navigate(`/admin/products/${copied.id}`)
  }
  return (
    <Card title="This product" contentClass="grid gap-4 p-5">
      <p className="text-sm text-pretty text-soft">
        A copy begins with the same words, price and parts, and is sold for itself. The archive takes a
        product out of your way; those who bought it keep it.
      </p>
      <p className="flex flex-wrap gap-3">
        <CallButton label="Duplicate" call={copy} done={duplicated} failed="Couldn’t duplicate" />
        {archived_at ? (
          <CallButton
            label="Restore from the archive"
            call={() => product.archived.$put({ param, json: { is_archived: false } })}
            done={restored}
            failed="Couldn’t save the change"
          />
        ) : (
          <CallButton
            label="Archive"
            question={{ title: `Archive ${name}?`, action: 'Archive' }}
            call={() => product.archived.$put({ param, json: { is_archived: true } })}
            done={archived}
            failed="Couldn’t save the change"
          >
            It leaves the page at once. Those who bought it keep it, and you can bring it back.
          </CallButton>
        )}
      </p>
    </Card>
  )
}

const duplicated = {
  title: 'Product duplicated',
  description: 'It is hidden, and has neither a file nor a cover yet.',
}
const archived = { title: 'Archived', description: 'It is off the page. You can find it below the products.' }
const restored = { title: 'Restored', description: 'It is hidden until you show it.' }
