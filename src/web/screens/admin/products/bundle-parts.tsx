import { useState } from 'react'
import { addCents, fromCents, toCents } from '#contract/money.ts'
import type { AdminProduct } from '#contract/catalog/admin-products.ts'
import type { AdminProductsApi } from '#domains/delivery/products.routes.ts'
import { Money } from '../../../money.tsx'
import { responseOf } from '../../../api.ts'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { useUnsavedChanges } from '../../../use-unsaved-changes.ts'
import { adminClient } from '../admin-client.ts'
import { useAdminCall } from '../use-admin-call.ts'

const api = adminClient<AdminProductsApi>()

type BundlePartsProps = { bundle: AdminProduct; adminProducts: AdminProduct[] }

export function BundleParts({ bundle: { id, price, parts }, adminProducts }: BundlePartsProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(parts))
  const [isBusy, run] = useAdminCall()
  const { markChanged, markSaved } = useUnsavedChanges()
  const singles = adminProducts.filter(
    ({ id: single, format, archived_at }) => format !== 'bundle' && (!archived_at || parts.includes(single)),
  )
  const prices = singles.filter(({ id: single }) => chosen.has(single)).map((each) => toCents(each.price))

  function tick(part: string) {
    const next = new Set(chosen)
    if (!next.delete(part)) next.add(part)
    setChosen(next)
    markChanged()
  }
  async function save() {
    const json = { ids: [...chosen] }
    const { isSaved } = await run(() => responseOf(api.products[':id'].parts.$put({ param: { id }, json })), {
      done: { title: 'Bundle saved', description: 'Everybody who owns it has these parts from now on.' },
      failed: 'Couldn’t save',
    })
    if (isSaved) markSaved()
  }
  return (
    <Card title="In this bundle">
      <fieldset disabled={isBusy} className="grid gap-3 p-5">
        <legend className="sr-only">Products in this bundle</legend>
        {singles.map((single) => (
          <label key={single.id} className="flex items-center gap-3">
            <input
              type="checkbox"
              checked={chosen.has(single.id)}
              onChange={() => tick(single.id)}
              className="tick"
            />
            <span className="min-w-0 flex-1 wrap-anywhere">{single.name}</span>
            <span className="text-soft tabular-nums">
              <Money amount={single.price} />
            </span>
          </label>
        ))}
        <p className="mt-2 text-sm text-soft tabular-nums">
          One by one <Money amount={fromCents(addCents(prices))} />, as a bundle <Money amount={price} />.
        </p>
        <p>
          <Button onClick={() => void save()}>{isBusy ? 'Saving...' : 'Save the bundle'}</Button>
        </p>
      </fieldset>
    </Card>
  )
}
