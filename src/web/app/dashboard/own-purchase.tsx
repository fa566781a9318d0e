// The calls of a purchase's buyer, who is known by the session. They stand apart from the dialog of a gift, which is
// loaded when it opens.
import { api, responseOf } from '../../api.ts'
import type { FileChoice } from '../../purchase/downloads.tsx'
import { giftTexts } from '#words/gift.ts'
import { dashboardTexts } from '#words/dashboard.ts'
import { fill } from '#words/texts.ts'
import { useFetcher } from 'react-router'
import type { Purchase, PurchaseMade } from '#contract/orders/purchases.ts'
import { readText, type FormResult, showRefusal } from '../../forms/form.ts'
import { failure } from '../../notices/send.ts'
import { orReceived } from '../../purchase/lost-response.ts'
import { announcePurchase } from '../../purchase/just-bought.ts'
import { leaveToPay } from '../../notices/stored-notice.ts'
import { toast } from '../../notices/toasts.tsx'
import { Button } from '../../components/button.tsx'
import { formatDate } from '../../format/format.tsx'

export const downloadOf = (id: string) => (json: FileChoice) =>
  responseOf(api.purchases[':id'].download.$post({ param: { id }, json }))

/** `is_request`: no right is left, and the author is asked. */
export const refundOf =
  (id: string, { is_request }: { is_request: boolean }) =>
  (reason: string) =>
    responseOf(api.purchases[':id'].refund.$post({ param: { id }, json: { reason, is_request } })).catch(
      orReceived(() => settle(id)),
    )

const settle = (id: string) => responseOf(api.purchases[':id'].settle.$post({ param: { id } }))

export const takeBackOf = (id: string) => () =>
  responseOf(api.purchases[':id'].refund.$delete({ param: { id } }))

/** Asks for the status first: what was paid in another tab must not be bought again. */
export async function continuePayment(form: FormData): Promise<void> {
  try {
    const settled = await settle(readText(form, 'purchase_id'))
    if (settled.status !== 'pending' || settled.is_held) return notify(settled)
    const created = await resume(settled)
    if (!created.checkout_url) return notify(created)
    await leaveToPay(created.checkout_url)
  } catch (error) {
    toast(failure(dashboardTexts.continueFailed, error))
  }
}

/** Asking for the same product, country, seller and discount resumes its open checkout, whatever the key. */
async function resume({ product, shipping, seller, discount_code: code }: Purchase): Promise<PurchaseMade> {
  const header = { 'idempotency-key': crypto.randomUUID() }
  const country = shipping?.country
  const ofLink = seller === 'stripe' && { seller }
  const json = { product_id: product.id, ...(country && { country }), ...(code && { code }), ...ofLink }
  return responseOf(api.purchases.$post({ json, header }))
}

function notify(purchase: Purchase): void {
  if (purchase.status === 'completed') announcePurchase(purchase)
  else if (purchase.status === 'canceled') toast(dashboardTexts.paymentCanceled)
  else toast({ title: dashboardTexts.notConfirmed, description: dashboardTexts.bankIsSlow })
}

export function ContinuePayment({ id, product }: Pick<Purchase, 'id' | 'product'>) {
  const fetcher = useFetcher()
  const isBusy = fetcher.state !== 'idle'
  return (
    <Button
      busy={isBusy}
      className="max-sm:w-full"
      disabled={isBusy}
      aria-label={fill(dashboardTexts.continuePaymentOf, { product: product.name })}
      onClick={() => void fetcher.submit({ intent: 'pay', purchase_id: id }, { method: 'post' })}
    >
      {dashboardTexts.continuePayment}
    </Button>
  )
}

/** The gift is sent at this hour of the buyer's day. */
const hour = '07:00'

export function readGift(form: FormData) {
  const text = (name: string) => readText(form, name)
  const day = text('day')
  return {
    email: text('email'),
    recipient_name: text('recipient_name'),
    sender_name: text('sender_name'),
    note: text('note'),
    send_at: day ? new Date(`${day}T${hour}`).toISOString() : null,
  }
}

export type Gift = ReturnType<typeof readGift>

export async function giveCopy(id: string, json: Gift): Promise<FormResult> {
  const { email, send_at } = json
  try {
    await responseOf(api.purchases[':id'].gift.$put({ param: { id }, json }))
  } catch (error) {
    return showRefusal(giftTexts.failed, error)
  }
  const { title, description } = send_at ? giftTexts.savedForDay : giftTexts.saved
  const date = send_at ? formatDate(send_at) : ''
  toast({ title, description: fill(description, { email, date }) })
  return { isSaved: true }
}

export async function mailGift(form: FormData): Promise<void> {
  try {
    await responseOf(api.purchases[':id'].gift.mails.$post({ param: paramOf(form) }))
    const { title, description } = giftTexts.sentAgain
    toast({ title, description: fill(description, { email: readText(form, 'email') }) })
  } catch (error) {
    toast(failure(giftTexts.failed, error))
  }
}

export async function takeCopyBack(form: FormData): Promise<void> {
  try {
    await responseOf(api.purchases[':id'].gift.$delete({ param: paramOf(form) }))
    toast(giftTexts.takenBack)
  } catch (error) {
    toast(failure(giftTexts.failed, error))
  }
}

const paramOf = (form: FormData) => ({ id: readText(form, 'purchase_id') })
