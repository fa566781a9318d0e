import { useState } from 'react'
import { useRevalidator } from 'react-router'
import type { OldPricesApi } from '#features/payments/old-price-routes.ts'
import type { AdminProduct } from '#features/products/contract/admin-products.ts'
import { responseOf } from '../../../api.ts'
import { failure } from '../../../copy.ts'
import { useFormatMoney } from '../../../money.tsx'
import { toast } from '../../../toasts.tsx'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { Confirm } from '../../../components/confirm.tsx'
import { adminClient } from '../admin-client.ts'
import { describeEnded, endCheckouts } from './end-checkouts.ts'

const api = adminClient<OldPricesApi>()

export function OldPriceCard({ product, count }: { product: AdminProduct; count: number }) {
  const { revalidate } = useRevalidator()
  const format = useFormatMoney()
  const [isAsking, setIsAsking] = useState(false)
  const [progress, setProgress] = useState<{ done: number; of: number }>()
  if (count === 0 && !progress) return null

  async function end() {
    setIsAsking(false)
    setProgress({ done: 0, of: count })
    const param = { id: product.id }
    const endSome = () => responseOf(api.products[':id']['old-price-checkouts'].$delete({ param }))
    try {
      const ended = await endCheckouts(endSome, (done, left) =>
        setProgress({ done, of: Math.max(count, done + left) }),
      )
      toast(describeEnded(ended))
    } catch (error) {
      toast(failure('Some checkouts are still open', error))
    } finally {
      await revalidate()
      setProgress(undefined)
    }
  }

  return (
    <Card title="Open checkouts at the old price">
      <div className="grid gap-4 p-5">
        <p className="text-sm text-pretty text-soft">
          {count === 1 ? '1 buyer' : `${count} buyers`} opened the payment page before the price changed and
          can still pay the old price there. {count === 1 ? 'The page expires' : 'The pages expire'} within 25
          hours.
        </p>
        <p className="flex flex-wrap items-center gap-3">
          <Button look="outline" disabled={progress !== undefined} onClick={() => setIsAsking(true)}>
            {count === 1 ? 'End this checkout' : `End these ${count} checkouts`}
          </Button>
          <span role="status" className="text-sm text-soft tabular-nums">
            {progress && `${progress.done} of ${progress.of} done...`}
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
          {count === 1 ? 'The payment page closes' : 'The payment pages close'} at Stripe, and nothing more is
          charged there. Anyone who buys again pays today’s price, {format(product.price)}. A payment that is
          made at this very moment stays valid.
        </Confirm>
      )}
    </Card>
  )
}
