// What the buyer of a purchase asks the shop for, by the session, and how its files are read.
// Apart from the dialog of a gift, which is loaded when it opens.
import { api, responseOf } from '../../api.ts'
import type { FileChoice } from '../../downloads.tsx'
import { giftTexts } from '#words/gift.ts'
import { dashboardTexts } from '#words/dashboard.ts'
import { fill } from '#words/texts.ts'
import { useFetcher } from 'react-router'
import type { Purchase, PurchaseMade, PurchasedFile } from '#contract/orders/purchases.ts'
import { readText, type FormResult, showRefusal } from '../../form.ts'
import { failure } from '../../send.ts'
import { announcePurchase } from '../../just-bought.ts'
import { leaveFor } from '../../carried-notice.ts'
import { toast } from '../../toasts.tsx'
import { Button } from '../../components/button.tsx'
import type { FileFormat } from '#contract/catalog/products.ts'
import { useState } from 'react'
import { formatDate } from '../../format.tsx'

export const downloadOf = (id: string) => (json: FileChoice) =>
  responseOf(api.purchases[':id'].download.$post({ param: { id }, json }))

export const refundOf = (id: string) => (reason: string) =>
  responseOf(api.purchases[':id'].refund.$post({ param: { id }, json: { reason } }))

/** Asks for the status first: what was paid in another tab must not be bought again. */
export async function continuePayment(form: FormData): Promise<void> {
  try {
    const param = { id: readText(form, 'purchase_id') }
    const settled = await responseOf(api.purchases[':id'].settle.$post({ param }))
    if (settled.status !== 'pending' || settled.is_held) return notify(settled)
    const created = await resume(settled)
    if (!created.checkout_url) return notify(created)
    await leaveFor(created.checkout_url)
  } catch (error) {
    toast(failure(dashboardTexts.continueFailed, error))
  }
}

/** Asking for the same product, country and discount resumes its open checkout, whatever the key. */
async function resume({ product, shipping, discount_code: code }: Purchase): Promise<PurchaseMade> {
  const header = { 'idempotency-key': crypto.randomUUID() }
  const country = shipping?.country
  const json = { product_id: product.id, ...(country && { country }), ...(code && { code }) }
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

type Advice = { device: string; text: string; link?: { label: string; href: string } }

export function readingAdvice(formats: readonly FileFormat[]): Advice[] {
  const { appleEpub, androidEpub, kindleEpub, phonePdf, kindlePdf, phoneMobi, kindleMobi } =
    dashboardTexts.devices
  const link = { label: dashboardTexts.sendToKindle, href: 'https://www.amazon.com/sendtokindle' }
  if (formats.includes('epub')) return [appleEpub, androidEpub, { ...kindleEpub, link }]
  if (formats.includes('pdf')) return [phonePdf, { ...kindlePdf, link }]
  return formats.includes('mobi') ? [phoneMobi, kindleMobi] : []
}

/** What is done with a purchase beside its download: all in one row and one style. */
export const textAction =
  'inline-flex min-h-8! cursor-pointer items-center rounded-sm! border-0 px-0! py-0! text-sm font-normal! text-soft! underline underline-offset-4 hover:bg-transparent! hover:text-ink!'

type HowToReadProps = { files: readonly PurchasedFile[]; isFolded?: boolean }

/** By device; nothing for what has no file. */
export function HowToRead({ files, isFolded = false }: HowToReadProps) {
  const [isOpen, setIsOpen] = useState(false)
  const advice = readingAdvice(files.map(({ file_format }) => file_format))
  if (advice.length === 0) return null
  const list = (
    <dl className="mt-3 grid gap-x-8 gap-y-4 text-sm md:grid-cols-3">
      {advice.map(({ device, text, link }) => (
        <div key={device}>
          <dt className="font-semibold">{device}</dt>
          <dd className="mt-1 text-pretty text-soft">
            {text}
            {link && (
              <>
                {' '}
                <a
                  href={link.href}
                  className="rounded-sm font-semibold whitespace-nowrap text-ink underline underline-offset-4"
                >
                  {link.label}
                </a>
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
  return isFolded ? (
    <details className="open:w-full" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className={textAction}>{dashboardTexts.howToRead}</summary>
      {isOpen && list}
    </details>
  ) : (
    <div className="mt-6 border-t border-line pt-5">
      <h3 className="font-semibold">{dashboardTexts.howToRead}</h3>
      {list}
    </div>
  )
}

/** At this hour of the buyer's day. */
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
