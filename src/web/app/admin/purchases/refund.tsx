import { useState } from 'react'
import { z } from 'zod'
import type { OrderDetail } from '#contract/orders/admin-orders.ts'
import { adminRefundRequest, isCompleted } from '#contract/orders/purchases.ts'
import type { OrdersApi } from '#domains/operations/orders.routes.ts'
import { fromCents, toCents } from '#contract/money.ts'
import { wholeCents } from '#contract/fields.ts'
import { responseOf } from '../../../api.ts'
import { useForm } from '../../../form.ts'
import { bySchema } from '../../parse-form.ts'
import { currencySign, formatMoney, toDecimal } from '../../../format.tsx'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { Confirm } from '../../../components/dialog.tsx'
import { Field } from '../../../components/field.tsx'
import { PriceField } from '../price-field.tsx'
import { adminClient } from '../admin-client.ts'
import { refundSent } from '../payments/attention-buttons.tsx'
import { useAdminCall } from '../call-button.tsx'

const api = adminClient<OrdersApi>()

export function hasMoneyLeft({ status, amount, refunded }: OrderDetail): boolean {
  return isCompleted(status) && refunded < amount
}

export function Refund({ purchase }: { purchase: OrderDetail }) {
  const { id, refunded, currency, is_going_back, is_by_provider } = purchase
  const [isBusy, run] = useAdminCall()
  const [entered, setEntered] = useState<z.infer<ReturnType<typeof refundForm>>>()
  const isPaper = ['paperback', 'hardcover'].includes(purchase.product.format)
  const left = fromCents(toCents(purchase.amount) - toCents(refunded))
  const { form, field, markSaved } = useForm(bySchema(refundForm(left, currency)), setEntered, {
    asksBeforeLeaving: true,
  })
  function refund(values: NonNullable<typeof entered>) {
    markSaved()
    setEntered(undefined)
    const sent = { param: { id }, json: { ...values, refunded } }
    void run(() => responseOf(api.purchases[':id'].refund.$post(sent)), {
      done: is_by_provider ? refundSent : refundRecorded(formatMoney(values.amount, currency)),
      failed: 'Couldn’t refund',
    })
  }
  if (is_going_back) {
    return (
      <Card title="Refund">
        <p className="px-5 py-4 text-soft">
          A refund is on its way. It appears below once Stripe has processed it.
        </p>
      </Card>
    )
  }
  return (
    <Card title="Refund">
      <form key={left} {...form} className="flex flex-wrap items-start gap-4 p-5 max-sm:*:w-full">
        <PriceField
          currency={currency}
          label={`Amount (${currencySign(currency)})`}
          defaultValue={toDecimal(left, currency)}
          {...field('amount')}
        />
        <div className="grow">
          <Field label="Note (optional)" name="reason" maxLength={1000} required={false} />
        </div>
        <Button type="submit" look="outline" className="sm:mt-7.5" disabled={isBusy}>
          {is_by_provider ? 'Refund' : 'Record a refund'}
        </Button>
      </form>
      {!is_by_provider && (
        <p className="px-5 pb-5 text-sm text-pretty text-soft">
          This was not paid through Stripe, so you send the money to the reader yourself. The shop only{' '}
          {purchase.email ? 'records the refund and writes an email to the reader.' : 'records the refund.'}
        </p>
      )}
      {entered && (
        <Confirm
          {...(is_by_provider ? refundedByStripe : recorded)(formatMoney(entered.amount, currency))}
          isDanger
          onClose={() => setEntered(undefined)}
          onConfirm={() => refund(entered)}
        >
          {!is_by_provider && <span>{'The shop moves no money: you send it to the reader yourself. '}</span>}
          <span>
            {entered.amount === left
              ? `This refunds all that is left of the payment${isPaper ? '.' : ', and access to the book ends.'}`
              : `This refunds a part of the payment.${isPaper ? '' : ' The reader keeps access to the book.'}`}
          </span>
        </Confirm>
      )}
    </Card>
  )
}

/** Where no provider was paid, the shop moves no money. */
const refundRecorded = (amount: string) => ({ title: `Recorded. Now send ${amount} to the reader yourself.` })
const refundedByStripe = (sum: string) => ({ title: `Refund ${sum}?`, action: 'Refund' })
const recorded = (sum: string) => ({ title: `Record a refund of ${sum}?`, action: 'Record refund' })

function refundForm(left: number, currency: string) {
  const amount = wholeCents
    .positive('Please enter an amount above 0.')
    .max(left, `${toDecimal(left, currency)} at most.`)
  return z.object({ amount, reason: adminRefundRequest.shape.reason })
}
