import { useRef, useState } from 'react'
import { useFetcher } from 'react-router'
import type { OrderDetail } from '#features/orders/contract/orders.ts'
import { isCompleted, leftOf } from '#features/purchases/contract/purchases.ts'
import { wholeCents } from '#platform/contract/fields.ts'
import { useFocusWrong } from '../../../focus-back.ts'
import { readText } from '../../../form.ts'
import { currencySign, formatMoney, toDecimal } from '../../../format.ts'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { Confirm } from '../../../components/confirm.tsx'
import { Field } from '../../../components/field.tsx'
import { PriceField } from '../../../components/price-field.tsx'
import { useUnsavedChanges } from '../../../use-unsaved-changes.ts'

export function hasMoneyLeft({ status, amount, refunded }: OrderDetail): boolean {
  return isCompleted(status) && leftOf({ amount, refunded }) > 0
}

export function Refund({ purchase }: { purchase: OrderDetail }) {
  const { refunded, currency, is_going_back, is_by_provider } = purchase
  const fetcher = useFetcher()
  const [asked, setAsked] = useState<{ amount: string; reason: string }>()
  const form = useRef<HTMLFormElement>(null)
  const [problem, setProblem] = useState<AmountProblem>()
  useFocusWrong(form, problem)
  const { markChanged, markSaved } = useUnsavedChanges()
  const left = toDecimal(leftOf(purchase))
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
      <form
        key={left}
        ref={form}
        noValidate
        onInput={markChanged}
        className="flex flex-wrap items-start gap-4 p-5 max-sm:*:w-full"
        onSubmit={(event) => {
          event.preventDefault()
          const data = new FormData(event.currentTarget)
          const amount = readText(data, 'amount')
          const found = findProblem(amount, left)
          setProblem(found)
          if (!found) setAsked({ amount, reason: readText(data, 'reason') })
        }}
      >
        <PriceField
          label={`Amount (${currencySign(currency)})`}
          name="amount"
          defaultValue={left}
          problem={problem?.amount}
        />
        <div className="grow">
          <Field label="Note (optional)" name="reason" maxLength={1000} required={false} />
        </div>
        <Button type="submit" look="outline" className="sm:mt-7.5" disabled={fetcher.state !== 'idle'}>
          {is_by_provider ? 'Refund' : 'Record a refund'}
        </Button>
      </form>
      {!is_by_provider && (
        <p className="px-5 pb-5 text-sm text-pretty text-soft">
          This was not paid through Stripe, so you send the money to the reader yourself. The shop only
          records the refund and emails the reader.
        </p>
      )}
      {asked && (
        <Confirm
          {...(is_by_provider ? givenBack : recorded)(formatMoney(Number(asked.amount), currency))}
          isDanger
          onClose={() => setAsked(undefined)}
          onConfirm={() => {
            markSaved()
            void fetcher.submit({ ...asked, refunded: String(refunded) }, { method: 'post' })
            setAsked(undefined)
          }}
        >
          {!is_by_provider && 'The shop moves no money: you send it to the reader yourself. '}
          {Number(asked.amount) === Number(left)
            ? 'This refunds all that is left of the payment, and access to the book ends.'
            : 'This refunds a part of the payment. The reader keeps access to the book.'}
        </Confirm>
      )}
    </Card>
  )
}

const givenBack = (sum: string) => ({ title: `Refund ${sum}?`, action: 'Refund' })
const recorded = (sum: string) => ({ title: `Record a refund of ${sum}?`, action: 'Record refund' })

type AmountProblem = { amount: string }

function findProblem(amount: string, left: string): AmountProblem | undefined {
  const schema = wholeCents.positive('Please enter an amount above 0.').max(Number(left), `${left} at most.`)
  const { error } = schema.safeParse(amount ? Number(amount) : NaN)
  return error && { amount: error.issues[0]?.message ?? 'Please enter an amount.' }
}
