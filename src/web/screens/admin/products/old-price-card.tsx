// After the price was changed: how many payment pages are open at the old price, and the button that ends them.
import { useState } from 'react'
import { useRevalidator } from 'react-router'
import type { EndedAtOldPrice } from '#features/payments/contract/old-prices.ts'
import type { OldPricesApi } from '#features/payments/old-price-routes.ts'
import type { AdminProduct } from '#features/products/contract/admin-products.ts'
import { adminClient, responseOf } from '../../../api.ts'
import { failure } from '../../../copy.ts'
import { useFormatMoney } from '../../../money.tsx'
import { toast } from '../../../toasts.tsx'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { Confirm } from '../../../components/confirm.tsx'

const api = adminClient<OldPricesApi>()

type Done = Omit<EndedAtOldPrice, 'left'>
const nothingDone: Done = { ended: 0, paid: 0, kept: 0, failed: 0 }

const add = (done: Done, more: Done): Done => ({
  ended: done.ended + more.ended,
  paid: done.paid + more.paid,
  kept: done.kept + more.kept,
  failed: done.failed + more.failed,
})

export function OldPriceCard({ product, count }: { product: AdminProduct; count: number }) {
  const { revalidate } = useRevalidator()
  const format = useFormatMoney()
  const [isAsking, setIsAsking] = useState(false)
  const [progress, setProgress] = useState<Done & { of: number }>()
  if (count === 0 && !progress) return null

  async function end() {
    setIsAsking(false)
    let done = nothingDone
    setProgress({ ...done, of: count })
    try {
      for (let left = 1; left > 0 && done.failed === 0;) {
        const param = { id: product.id }
        const call = api.products[':id']['old-price-checkouts'].$delete({ param })
        const { left: leftNow, ...more } = await responseOf(call)
        done = add(done, more)
        left = leftNow
        setProgress({ ...done, of: Math.max(count, handled(done) + left) })
      }
      toast(resultOf(done))
    } catch (error) {
      toast(failure('Not All Ended', error))
    } finally {
      await revalidate()
      setProgress(undefined)
    }
  }

  return (
    <Card title="Open checkouts at the old price">
      <div className="grid gap-4 p-5">
        <p className="text-sm text-pretty text-soft">
          {count === 1 ? '1 buyer has' : `${count} buyers have`} opened the payment page before the price was
          changed and can still pay the old one there. By themselves these pages end within 25 hours.
        </p>
        <p className="flex flex-wrap items-center gap-3">
          <Button look="outline" disabled={progress !== undefined} onClick={() => setIsAsking(true)}>
            {count === 1 ? 'End this checkout' : `End these ${count} checkouts`}
          </Button>
          <span role="status" className="text-sm text-soft tabular-nums">
            {progress && `${handled(progress)} of ${progress.of} done...`}
          </span>
        </p>
      </div>
      {isAsking && (
        <Confirm
          title={count === 1 ? 'End this checkout?' : `End ${count} checkouts?`}
          action={count === 1 ? 'End it' : 'End them'}
          isDanger
          onClose={() => setIsAsking(false)}
          onConfirm={() => void end()}
        >
          The payment pages close at Stripe and nothing is charged there any more. Who presses the button in
          the shop again is asked for today’s price, {format(product.price)}. A payment that is made in this
          moment stays paid.
        </Confirm>
      )}
    </Card>
  )
}

const handled = ({ ended, paid, kept }: Done) => ended + paid + kept

function resultOf(done: Done) {
  const { ended, paid, kept, failed } = done
  const parts = [
    `${ended} ended.`,
    paid > 0 && `${paid} paid before it could be ended, and stay paid.`,
    kept > 0 && `${kept} not ended: the bank is about to pay, or the payment waits for you.`,
    failed > 0 && 'The rest is still open, because Stripe did not answer. Please try again.',
  ]
  const description = parts.filter(Boolean).join(' ')
  return failed > 0
    ? { title: 'Not All Ended', description, destructive: true }
    : { title: 'Checkouts Ended', description }
}
