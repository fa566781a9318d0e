// The button by which a buyer gives a purchase back: a withdrawal where the law gives the right, else a refund.
import { dashboardTexts } from '#words/dashboard.ts'
import { fill } from '#words/texts.ts'
import { refundsTexts } from '#words/buying.ts'
import { useState } from 'react'
import type { Purchase, Withdrawal } from '#contract/orders/purchases.ts'
import { refundButton } from '#contract/orders/refund-button.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { formatMoney } from '#contract/money.ts'
import { mailedNotice } from '../notices/mail-notice.ts'
import { useBookFacts, useSendsMail } from '../shop.ts'
import { addressWords } from './acknowledgement.tsx'
import { failure } from '../notices/send.ts'
import { asEntered, readText, useForm } from '../forms/form.ts'
import { toast } from '../notices/toasts.tsx'
import { Button } from '../components/button.tsx'
import { CancelButton, Dialog } from '../components/dialog.tsx'
import { TextField } from '../components/field.tsx'

type Refundable = Pick<
  Purchase,
  'number' | 'amount' | 'currency' | 'status' | 'withdrawal' | 'refund_right'
> & {
  product: Pick<Purchase['product'], 'name'>
  shipment: { shipped_at: string | null } | null
}

type RefundButtonProps = {
  purchase: Refundable
  /** The rights that the buyer loses with it. */
  ending: string | undefined
  /** Sends the declaration. */
  refund: (reason: string) => Promise<{ withdrawal: Withdrawal | null }>
  /** Shows what has become of the purchase. */
  reload: () => Promise<void>
  look?: 'quiet' | 'outline'
  className?: string
}

export function RefundButton(props: RefundButtonProps) {
  const { purchase, ending, refund, reload, look = 'quiet', className } = props
  const { number, product, refund_right } = purchase
  const sendsMail = useSendsMail()
  const { returns_to } = useBookFacts().legal
  const [isAsking, setIsAsking] = useState(false)
  const texts = textsOf(refund_right)
  const { form, isBusy } = useForm(asEntered, send)
  async function send(entered: FormData) {
    setIsAsking(false)
    await declare(() => refund(readText(entered, 'reason')))
    await reload()
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
            {[consequence(purchase, returns_to), ending, sendsMail && dashboardTexts.confirmedByEmail]
              .filter(Boolean)
              .join(' ')}
          </p>
          <form {...form} className="mt-5 grid gap-5">
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

async function declare(call: () => Promise<{ withdrawal: Withdrawal | null }>): Promise<void> {
  try {
    const { withdrawal } = await call()
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

export function textsOf(right: Refundable['refund_right']) {
  const texts = dashboardTexts
  const button = refundButton(right)
  return right === 'law'
    ? {
        button,
        named: texts.withdrawProduct,
        question: texts.withdrawQuestion,
        confirm: texts.confirmWithdrawal,
      }
    : {
        button,
        named: texts.refundProduct,
        question: texts.refundQuestion,
        confirm: texts.getMoneyBack,
      }
}

export function consequence(
  { status, amount, currency, shipment, withdrawal }: Refundable,
  returnsTo: string | null,
): string {
  const { restOfPayment, refundAfterReturn, refundGoesBack } = dashboardTexts
  const paid = formatMoney(amount, currency)
  if (shipment?.shipped_at && !withdrawal)
    return [fill(refundAfterReturn, { amount: paid }), ...addressWords(returnsTo)].join(' ')
  const part = status === 'partially_refunded' ? restOfPayment : paid
  return `${fill(refundGoesBack, { amount: part })} ${refundsTexts.duration}`
}
