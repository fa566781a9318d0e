// The button by which a buyer gives a purchase back: a withdrawal where the law gives the right, else a refund.
import { dashboardTexts } from '#words/dashboard.ts'
import { fill } from '#words/fill.ts'
import { siteTexts } from '#words/site.ts'
import { refundsTexts } from '#words/refunds.ts'
import { useState } from 'react'
import { useFetcher } from 'react-router'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import type { Purchase } from '#contract/orders/purchases.ts'
import type { Withdrawal } from '#contract/orders/withdrawals.ts'
import { formatDate, formatMoney, formatUtc } from './format.tsx'
import { mailedNotice } from './mailed-notice.ts'
import { useSendsMail } from './shop.ts'
import { failure } from './copy.ts'
import { asEntered, readText, useForm } from './form.ts'
import { toast } from './toasts.tsx'
import { Button } from './components/button.tsx'
import { CancelButton, Dialog } from './components/dialog.tsx'
import { TextField } from './components/field.tsx'
import { withdrawTexts } from '#words/withdraw.ts'
import { saveFile } from './save-file.ts'

/** What the action of a screen with the button does; `call` sends the declaration. */
export async function declare(
  form: FormData,
  call: (reason: string) => Promise<{ withdrawal: Withdrawal | null }>,
): Promise<void> {
  try {
    const { withdrawal } = await call(readText(form, 'reason'))
    if (!withdrawal) return
    const { law, promise } = dashboardTexts.refundAsked
    toast(
      await mailedNotice({
        title: withdrawal.right === 'law' ? law : promise,
        description: withdrawal.state === 'waiting' ? dashboardTexts.nextSteps : dashboardTexts.goingBack,
      }),
    )
  } catch (error) {
    toast(failure(dashboardTexts.refundFailed, error))
  }
}

/** What became of a declaration. */
export function declaredWords({ declared_at, state, waits_for, refusal, right }: Withdrawal): string {
  const { received, refused, refunded, goingBack, stuck, waitsFor } = dashboardTexts
  const first = fill(right === 'law' ? received.law : received.promise, { date: formatDate(declared_at) })
  if (state === 'waiting') return `${first} ${waits_for ? waitsFor[waits_for] : ''}`
  if (state === 'refused') return `${first} ${fill(refused, { refusal: refusal ?? '' })}`
  if (state === 'given') return `${first} ${refunded}`
  return `${first} ${state === 'on_its_way' ? goingBack : stuck}`
}

type Refundable = Pick<
  Purchase,
  'id' | 'number' | 'amount' | 'currency' | 'status' | 'withdrawal' | 'refund_right'
> & {
  product: Pick<Purchase['product'], 'name'>
  shipment: { shipped_at: string | null } | null
}

type RefundButtonProps = {
  purchase: Refundable
  /** What the buyer loses with it. */
  ending: string | undefined
  look?: 'quiet' | 'outline'
  className?: string
}

export function RefundButton({ purchase, ending, look = 'quiet', className }: RefundButtonProps) {
  const { id, number, product, refund_right } = purchase
  const fetcher = useFetcher()
  const sendsMail = useSendsMail()
  const [isAsking, setIsAsking] = useState(false)
  const isBusy = fetcher.state !== 'idle'
  const texts = textsOf(refund_right)
  const { form } = useForm(asEntered, send)
  function send(entered: FormData) {
    setIsAsking(false)
    void fetcher.submit(entered, { method: 'post' })
  }
  return (
    <>
      <Button
        look={look}
        className={className}
        disabled={isBusy}
        aria-label={fill(texts.named, { product: product.name })}
        onClick={() => setIsAsking(true)}
      >
        {texts.button}
      </Button>
      {isAsking && (
        <Dialog title={texts.question} onClose={() => setIsAsking(false)}>
          {refund_right === 'law' && (
            <p className="mt-3 text-pretty">
              {fill(dashboardTexts.withdrawing, { product: product.name, number: formatOrderNumber(number) })}
            </p>
          )}
          <p className="mt-3 text-pretty text-soft">
            {[consequence(purchase), ending, sendsMail && dashboardTexts.confirmedByEmail]
              .filter(Boolean)
              .join(' ')}
          </p>
          <form {...form} className="mt-5 grid gap-5">
            <input type="hidden" name="intent" value="refund" />
            <input type="hidden" name="purchase_id" value={id} />
            <TextField
              label={dashboardTexts.missing}
              name="reason"
              rows={3}
              maxLength={1000}
              required={false}
            />
            <p className="flex flex-wrap justify-end gap-3 max-sm:*:grow">
              <CancelButton>{dashboardTexts.keepBook}</CancelButton>
              <Button type="submit" look="danger">
                {texts.confirm}
              </Button>
            </p>
          </form>
        </Dialog>
      )}
    </>
  )
}

export function textsOf(right: Refundable['refund_right']) {
  const texts = dashboardTexts
  return right === 'law'
    ? {
        button: siteTexts.withdraw,
        named: texts.withdrawProduct,
        question: texts.withdrawQuestion,
        confirm: texts.confirmWithdrawal,
      }
    : {
        button: texts.refund,
        named: texts.refundProduct,
        question: texts.refundQuestion,
        confirm: texts.getMoneyBack,
      }
}

export function consequence({ status, amount, currency, shipment, withdrawal }: Refundable): string {
  const { restOfPayment, refundAfterReturn, refundGoesBack } = dashboardTexts
  const paid = formatMoney(amount, currency)
  if (shipment?.shipped_at && !withdrawal) return fill(refundAfterReturn, { amount: paid })
  const part = status === 'partially_refunded' ? restOfPayment : paid
  return `${fill(refundGoesBack, { amount: part })} ${refundsTexts.duration}`
}

// What says that a withdrawal was received: its content and the time, to be kept.

/** Of a withdrawal from an order that is known. */
export function acknowledgementOf(
  { declared_at }: Pick<Withdrawal, 'declared_at'>,
  { number, product }: { number: number; product: { name: string } },
): Facts {
  return [
    [withdrawTexts.received, formatUtc(declared_at)],
    [
      withdrawTexts.declared,
      fill(dashboardTexts.withdrawing, { product: product.name, number: formatOrderNumber(number) }),
    ],
  ]
}

type Facts = readonly (readonly [name: string, value: string])[]

export function Acknowledgement({ facts }: { facts: Facts }) {
  return (
    <div className="grid w-full gap-5 rounded-lg border border-line bg-surface p-6 text-start sm:p-8 print:border-0 print:p-0">
      <FactList facts={facts} />
      <p className="flex flex-wrap gap-3 max-sm:*:grow print:hidden">
        <SaveAcknowledgement facts={facts} />
        <Button look="quiet" onClick={() => print()}>
          {withdrawTexts.print}
        </Button>
      </p>
    </div>
  )
}

export function FactList({ facts }: { facts: Facts }) {
  return (
    <dl className="grid gap-3">
      {facts.map(([name, value]) => (
        <div key={name} className="min-w-0">
          <dt className="text-sm text-soft">{name}</dt>
          <dd className="break-words">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

export function SaveAcknowledgement({ facts }: { facts: Facts }) {
  const lines = [withdrawTexts.done, '', ...facts.map(([name, value]) => `${name}: ${value}`), '']
  return (
    <Button
      look="outline"
      onClick={() => saveFile(`${withdrawTexts.fileName}.txt`, [...lines, location.origin, ''].join('\n'))}
    >
      {withdrawTexts.save}
    </Button>
  )
}
