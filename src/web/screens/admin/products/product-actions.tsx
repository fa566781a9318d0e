import { useState } from 'react'
import { useNavigate, useRevalidator } from 'react-router'
import type { AdminProduct } from '#features/products/contract/admin-products.ts'
import type { AdminProductsApi } from '#features/products/admin-routes.ts'
import { responseOf } from '../../../api.ts'
import { failure } from '../../../copy.ts'
import { toast } from '../../../toasts.tsx'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { Confirm } from '../../../components/confirm.tsx'
import { adminClient } from '../admin-client.ts'

const api = adminClient<AdminProductsApi>()

export function ProductActions({ product: { id, name, archived_at } }: { product: AdminProduct }) {
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const [isBusy, setIsBusy] = useState(false)
  const [isAsking, setIsAsking] = useState(false)

  async function change(title: string, work: () => Promise<unknown>) {
    setIsBusy(true)
    try {
      await work()
    } catch (error) {
      toast(failure(title, error))
    } finally {
      setIsBusy(false)
      setIsAsking(false)
    }
  }
  const copy = () =>
    change('Couldn’t duplicate', async () => {
      const { id: copied } = await responseOf(api.products[':id'].copies.$post({ param: { id } }))
      toast({
        title: 'Product duplicated',
        description: 'It is hidden, and has neither a file nor a cover yet.',
      })
      await navigate(`/admin/products/${copied}`)
    })
  const archive = (is_archived: boolean) =>
    change('Couldn’t save the change', async () => {
      await api.products[':id'].archived.$put({ param: { id }, json: { is_archived } })
      toast(is_archived ? archived : broughtBack)
      await revalidate()
    })

  return (
    <Card title="This product">
      <div className="grid gap-4 p-5">
        <p className="text-sm text-pretty text-soft">
          A copy begins with the same words, price and parts, and is sold for itself. The archive takes a
          product out of your way; those who bought it keep it.
        </p>
        <p className="flex flex-wrap gap-3">
          <Button look="outline" disabled={isBusy} onClick={() => void copy()}>
            Duplicate
          </Button>
          <Button
            look="outline"
            disabled={isBusy}
            onClick={() => (archived_at ? void archive(false) : setIsAsking(true))}
          >
            {archived_at ? 'Restore from the archive' : 'Archive'}
          </Button>
        </p>
      </div>
      {isAsking && (
        <Confirm
          title={`Archive ${name}?`}
          action="Archive"
          isBusy={isBusy}
          onConfirm={() => void archive(true)}
          onClose={() => setIsAsking(false)}
        >
          It leaves the page at once. Those who bought it keep it, and you can bring it back.
        </Confirm>
      )}
    </Card>
  )
}

const archived = { title: 'Archived', description: 'It is off the page. You can find it below the products.' }
const broughtBack = { title: 'Restored', description: 'It is hidden until you show it.' }
