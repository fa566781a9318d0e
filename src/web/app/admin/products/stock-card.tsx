import { type AdminProduct, lowStock, stockChange } from '#contract/catalog/admin-products.ts'
import { formatCount } from '../../../format.tsx'
import { Badge } from '../../../components/note.tsx'
import { useState } from 'react'
import type { AdminProductsApi } from '#domains/delivery/products.routes.ts'
import { ProblemError, responseOf } from '../../../api.ts'
import { asEntered, checkFields, useForm, type FormResult } from '../../../form.ts'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { Field } from '../../../components/field.tsx'
import { useAdminCall } from '../call-button.tsx'
import { adminClient } from '../admin-client.ts'

export function StockBadge({ product: { copies, is_sold_out } }: { product: AdminProduct }) {
  if (is_sold_out) return <Badge look="danger">sold out</Badge>
  if (copies === null) return null
  return <Badge look={copies <= lowStock ? 'toned' : 'plain'}>{formatCount(copies)} left</Badge>
}

const api = adminClient<AdminProductsApi>()

export function StockCard({ product }: { product: AdminProduct }) {
  const { id, copies, copies_reserved } = product
  const [, run] = useAdminCall()
  /** Undefined until it is touched: the field follows the sales till then. `seen` is what it showed at that moment. */
  const [typed, setTyped] = useState<{ text: string; seen: number | null }>()
  const shown = typed?.text ?? copies?.toString() ?? ''
  const state = useForm(asEntered, () => save(shown ? Number(shown) : NaN), { asksBeforeLeaving: true })
  const { form, isBusy, field } = state

  function showStock() {
    state.markSaved()
    setTyped(undefined)
  }
  async function save(newCount: number | null): Promise<FormResult> {
    const json = { copies: newCount, seen: typed ? typed.seen : copies }
    const problems = checkFields(stockChange, json)
    if (problems) return { isSaved: false, problems }
    const call = async () => {
      try {
        await responseOf(api.products[':id'].stock.$put({ param: { id }, json }))
        showStock()
      } catch (error) {
        // A second try would undo the sales: the field shows what is left now.
        if (error instanceof ProblemError && error.code === 'stock.changed_meanwhile') showStock()
        throw error
      }
    }
    return run(call, { done: newCount === null ? notCounted : counted, failed: 'Couldn’t save' })
  }

  return (
    <Card title="Copies" action={<StockBadge product={product} />}>
      <form {...form} className="grid gap-4 p-5">
        <p className="text-sm text-pretty text-soft">
          {copies === null
            ? 'Copies are not counted: it never sells out. Count them when you have only so many.'
            : 'Each sale takes one away. At 0 the page says “Sold out”, and so do bundles that hold it.'}
        </p>
        <Field
          label="Copies to sell"
          hint="Without those that are sold already and wait to be shipped."
          type="number"
          min="0"
          step="1"
          inputMode="numeric"
          disabled={isBusy}
          value={shown}
          onChange={({ target }) => setTyped({ text: target.value, seen: typed ? typed.seen : copies })}
          {...field('copies')}
        />
        {copies_reserved > 0 && (
          <p className="text-sm text-soft">
            {copies_reserved === 1 ? '1 more is' : `${copies_reserved} more are`} reserved for buyers who are
            paying. What is not paid within an hour comes back by itself.
          </p>
        )}
        <p className="flex flex-wrap gap-3">
          <Button type="submit" disabled={isBusy}>
            {isBusy ? 'Saving...' : copies === null ? 'Count copies' : 'Save the number'}
          </Button>
          {copies !== null && (
            <Button look="outline" disabled={isBusy} onClick={() => void state.run(() => save(null))}>
              Stop counting
            </Button>
          )}
        </p>
      </form>
    </Card>
  )
}

const counted = { title: 'Stock saved', description: 'The page shows it now.' }
const notCounted = { title: 'Stock is not counted', description: 'It is for sale without a limit now.' }
