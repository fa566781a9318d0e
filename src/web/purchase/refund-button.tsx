// The button by which a buyer gives a purchase back: a withdrawal where the law gives the right, else a refund.
import { dashboardTexts } from '#words/dashboard.ts'
import { fill } from '#words/texts.ts'
import { siteTexts } from '#words/site.ts'
import { withdrawTexts } from '#words/withdraw.ts'
import { useState } from 'react'
import type { ReturnTerms } from '#contract/book/shown-book.ts'
import { isPreorder, lacksFile } from '#contract/catalog/preorder.ts'
import type { Purchase } from '#contract/orders/purchases.ts'
import { refundButton } from '#contract/orders/refund-button.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { formatMoney } from '#contract/money.ts'
import { mailedNotice } from '../notices/mail-notice.ts'
import { useBookFacts, useSendsMail } from '../shop.ts'
import { returnWords } from './acknowledgement.tsx'
import { failure } from '../notices/send.ts'
import type { Declared } from './lost-response.ts'
import { asEntered, readText, useForm } from '../forms/form.ts'
import { toast } from '../notices/toasts.tsx'
import { Button } from '../components/button.tsx'
import { CancelButton, Dialog } from '../components/dialog.tsx'
import { TextField } from '../components/field.tsx'

type Refundable = Pick<
  Purchase,
  'number' | 'amount' | 'currency' | 'status' | 'refund_right' | 'refund_waits_for' | 'refund_is_of_paper'
> & {
  product: Pick<Purchase['product'], 'name' | 'release'>
  /** Without a session the shop does not say whether this is a second refund. */
  isOfGuest?: boolean
}

type RefundButtonProps = {
  purchase: Refundable
  /** The rights that the buyer loses with it. */
  ending: string | undefined
  /** Sends the declaration. */
  refund: (reason: string) => Promise<Declared>
  /** Shows what has become of the purchase. */
  reload: () => Promise<void>
  look?: 'quiet' | 'outline'
  className?: string
}

export function RefundButton(props: RefundButtonProps) {
  const { purchase, ending, refund, reload, look = 'quiet', className } = props
  const { number, product, refund_right } = purchase
  const sendsMail = useSendsMail()
  const { legal } = useBookFacts()
  const [isAsking, setIsAsking] = useState(false)
  const texts = textsOf(refund_right)
  const { form, isBusy } = useForm(asEntered, send)
  async function send(entered: FormData) {
    setIsAsking(false)
    const failed = refund_right === 'law' ? withdrawTexts.failed : dashboardTexts.refundFailed
    await declare(() => refund(readText(entered, 'reason')), failed)
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
            {[consequence(purchase, legal), ending, sendsMail && dashboardTexts.confirmedByEmail]
              .filter(Boolean)
              .join(' ')}
          </p>
          <form {...form} className="mt-5 grid gap-5">
            {!isPreorder(product) && (
              <TextField
                label={dashboardTexts.missing}
                name="reason"
                rows={3}
                maxLength={1000}
                required={false}
              />
            )}
            <p className="flex flex-wrap justify-end gap-3 max-sm:*:grow">
              <CancelButton>
                {isPreorder(product) ? dashboardTexts.keepOrder : dashboardTexts.keepBook}
              </CancelButton>
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

/** A withdrawal by the law stays. */
export const canTakeBack = ({ withdrawal }: Pick<Purchase, 'withdrawal'>) =>
  withdrawal?.state === 'waiting' && withdrawal.right !== 'law'

/** Whoever has a link of the order ends no right by it. */
export const canGuestTakeBack = ({ withdrawal }: Pick<Purchase, 'withdrawal'>) =>
  withdrawal?.state === 'waiting' && withdrawal.right === 'request'

type TakeRequestBackProps = Pick<RefundButtonProps, 'reload' | 'look' | 'className'> & {
  takeBack: () => Promise<{ is_done: boolean }>
}

export function TakeRequestBack({ takeBack, reload, look = 'quiet', className }: TakeRequestBackProps) {
  const [isBusy, setIsBusy] = useState(false)
  async function send() {
    setIsBusy(true)
    try {
      const { is_done } = await takeBack()
      if (is_done) toast({ title: dashboardTexts.requestTakenBack })
      await reload()
    } catch (error) {
      toast(failure(siteTexts.unexpected, error))
    }
    setIsBusy(false)
  }
  return (
    <Button look={look} className={className} disabled={isBusy} onClick={() => void send()}>
      {dashboardTexts.takeRequestBack}
    </Button>
  )
}

/**
 * The rights that the buyer loses by it: for good where a right binds the author for the file. Paper that was sent is not
 * ended, and another order of the same product goes on giving the file.
 */
export function endingOf(purchase: Ending): string | undefined {
  const { refund_right, refund_is_of_paper, product, other_order = null } = purchase
  if (!product.is_digital || isPreorder(product) || lacksFile(product)) return undefined
  if (other_order !== null) return fill(dashboardTexts.otherOrder, { order: formatOrderNumber(other_order) })
  const isBound = (refund_right === 'law' && !refund_is_of_paper) || refund_right === 'promise'
  return isBound ? fill(dashboardTexts.accessEnds, { product: product.name }) : dashboardTexts.filesWait
}

type Ending = Pick<Purchase, 'refund_right' | 'refund_is_of_paper'> & {
  /** Unknown to who only has a link. */
  other_order?: Purchase['other_order']
  product: Pick<Purchase['product'], 'name' | 'is_digital' | 'release' | 'download_url' | 'files'>
}

async function declare(call: () => Promise<Declared>, failed: string): Promise<void> {
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
    toast(failure(failed, error))
  }
}

/** Without a right the author is asked. */
export function textsOf(right: Refundable['refund_right']) {
  const texts = dashboardTexts
  const { askTitle } = withdrawTexts
  if (right === null)
    return { button: askTitle, named: `${askTitle}: {product}`, question: askTitle, confirm: askTitle }
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

export function consequence(purchase: Refundable, returns: ReturnTerms): string {
  const { status, amount, currency, refund_right, refund_waits_for, isOfGuest = false } = purchase
  if (refund_right === null) return dashboardTexts.waitsFor.no_right
  const { restOfPayment, refundAfterReturn, refundGoesBack, repeatWaits, waitsFor } = dashboardTexts
  const paid = formatMoney(amount, currency)
  if (refund_waits_for === 'return') {
    // Of what went back before only the rest is left, which this sentence does not name.
    const whole =
      status === 'partially_refunded' ? waitsFor.return : fill(refundAfterReturn, { amount: paid })
    const first = purchase.refund_is_of_paper ? [waitsFor.downloaded, waitsFor.return] : [whole]
    return [...first, ...returnWords(returns, refund_right)].join(' ')
  }
  if (refund_waits_for) return waitsFor[refund_waits_for]
  const part = status === 'partially_refunded' ? restOfPayment : paid
  const words = [fill(refundGoesBack, { amount: part }), isOfGuest && repeatWaits]
  return words.filter(Boolean).join(' ')
}
