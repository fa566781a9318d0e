import { useState } from 'react'
import type { OldPricesApi } from '#domains/payments/attention.routes.ts'
import type { AdminProduct } from '#contract/catalog/admin-products.ts'
import { responseOf } from '../../../api.ts'
import { useFormatMoney } from '../../../money.tsx'
import { Card } from '../../../components/card.tsx'
import { adminClient } from '../admin-client.ts'
import { CallButton } from '../call-button.tsx'
import { describeEnded, endCheckouts } from './end-checkouts.ts'

const api = adminClient<OldPricesApi>()

export function OldPriceCard({ product, count }: { product: AdminProduct; count: number }) {
  const format = useFormatMoney()
  const [progress, setProgress] = useState<{ done: number; of: number }>()
  if (count === 0 && !progress) return null

  async function end() {
    setProgress({ done: 0, of: count })
    const param = { id: product.id }
    const endSome = () => responseOf(api.products[':id']['old-price-checkouts'].$delete({ param }))
    try {
      return await endCheckouts(endSome, (done, left) =>
        setProgress({ done, of: Math.max(count, done + left) }),
      )
    } finally {
      setProgress(undefined)
    }
  }

  return (
    <Card title="Open checkouts at the old price" contentClass="grid gap-4 p-5">
      <p className="text-sm text-pretty text-soft">
        {count === 1 ? '1 buyer' : `${count} buyers`} opened the payment page before the price changed and can
        still pay the old price there. {count === 1 ? 'The page expires' : 'The pages expire'} within 25
        hours.
      </p>
      <p className="flex flex-wrap items-center gap-3">
        <CallButton
          label={count === 1 ? 'End this checkout' : `End these ${count} checkouts`}
          question={{
            title: count === 1 ? 'End this checkout?' : `End ${count} checkouts?`,
            action: count === 1 ? 'End it' : 'End them',
            isDanger: true,
          }}
          call={end}
          done={describeEnded}
          failed="Some checkouts are still open"
        >
          {count === 1 ? 'The payment page closes' : 'The payment pages close'} at Stripe, and nothing more is
          charged there. Anyone who buys again pays today’s price, {format(product.price)}. A payment that is
          made at this very moment stays valid.
        </CallButton>
        <span role="status" className="text-sm text-soft tabular-nums">
          {progress && `${progress.done} of ${progress.of} done...`}
        </span>
      </p>
    </Card>
  )
}
