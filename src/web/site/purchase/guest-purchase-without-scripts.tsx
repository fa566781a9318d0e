// A purchase of a guest for a browser without scripts, which keeps no proof of it: opened by the id of the checkout in its
// address. That stays in the browser's history, so the page has neither the buyer's email nor where the parcel goes. Where
// scripts run, page-shell.tsx leads to the page that has no such address.
import { dashboardTexts } from '#words/dashboard.ts'
import { fill } from '#words/texts.ts'
import { guestTexts } from '#words/guest.ts'
import { siteTexts } from '#words/site.ts'
import { minuteMs } from '#contract/durations.ts'
import type { GuestPurchase } from '#contract/orders/guest-purchases.ts'
import type { PurchasedFile } from '#contract/orders/purchases.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { returnPattern } from '#contract/paths.ts'
import type { OpenedPurchase } from '#pages/page-answer.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { formatFileSize, formatWithZone } from '../../format/format.tsx'
import { Message } from '../../page/message.tsx'
import { unlisted } from '../../page/page-meta.ts'
import { SiteFrame } from '../../page/site-frame.tsx'
import { acknowledgementOf, endedWords, FactList } from '../../purchase/acknowledgement.tsx'
import { canGuestTakeBack, consequence, endingOf, textsOf } from '../../purchase/refund-button.tsx'
import { useBook, useDeliveryDays, useParcels, useSendsMail } from '../../shop.ts'
import { HowToRead } from '../../purchase/how-to-read.tsx'
import { linkDaysOf } from '#contract/orders/prices.ts'
import { Tracking } from '../../purchase/tracking.tsx'
import { NotFound, notFoundTags } from '../not-found/not-found.tsx'
import { orderFacts, outcomeOf, parcelWords, releaseWords, untilWords } from './outcome.ts'
import type { SitePage } from '../site-page.ts'

/** A bank may take days. */
const [quickSeconds, slowSeconds] = [5, 60]
const quickMs = 5 * minuteMs

export const guestPurchaseWithoutScripts: SitePage = {
  path: returnPattern,
  holdsRight: true,
  status: ({ shown }) => (shown.openedPurchase ? 200 : 404),
  tags: (content) => {
    const { openedPurchase: order } = content.shown
    if (!order) return notFoundTags(content)
    return [
      ...unlisted(guestTexts.page, content.book),
      ...(order.address && isWaiting(order) ? [{ httpEquiv: 'refresh', content: refreshOf(order) }] : []),
    ]
  },
  Page: ({ shown }) => (shown.openedPurchase ? <Order {...shown.openedPurchase} /> : <NotFound />),
}

const isWaiting = ({ purchase }: OpenedPurchase) => purchase?.status === 'pending' && !purchase.is_held

function refreshOf(order: OpenedPurchase): string {
  const age = Date.now() - Date.parse(order.purchase?.created_at ?? '')
  return `${age < quickMs ? quickSeconds : slowSeconds}; url=${order.address}`
}

function Order(order: OpenedPurchase) {
  const { purchase, isUnknown } = order
  const { legal } = useBook()
  const { sender } = useParcels()
  const days = useDeliveryDays()
  if (isUnknown) return <Unknown />
  if (!purchase)
    return (
      <SiteFrame>
        <Message title={guestTexts.loadFailed} text={guestTexts.loadFailedText}>
          {order.address && <ButtonLink to={order.address}>{guestTexts.tryAgain}</ButtonLink>}
        </Message>
      </SiteFrame>
    )
  const { state, title, text } = outcomeOf(purchase, legal)
  const release = state === 'bought' && releaseWords(purchase, false)
  const { withdrawal, parcel, refund_right, ended_right } = purchase
  return (
    <SiteFrame>
      <Message title={title} text={text}>
        {isWaiting(order) && <Waiting address={order.address} />}
        {release && <p className="text-lg text-pretty">{release}</p>}
        {state === 'bought' && <Downloads {...order} purchase={purchase} />}
        {state === 'bought' && parcel && (
          <p className="text-pretty wrap-anywhere">
            {parcel.shipped_at ? guestTexts.parcelSent : parcelWords(purchase, sender, days)}{' '}
            {parcel.shipped_at && <Tracking {...parcel} />}
          </p>
        )}
        {state === 'bought' && <ReceiptAndLink {...purchase.product} />}
        {withdrawal?.right === 'law' && (
          <div className="w-full rounded-lg border border-line bg-surface p-6 text-start sm:p-8">
            <FactList facts={acknowledgementOf(withdrawal, purchase)} />
          </div>
        )}
        <FactList facts={orderFacts(purchase)} />
        {ended_right && state === 'bought' && (
          <p className="text-pretty text-soft">{endedWords(ended_right)}</p>
        )}
        {(refund_right || (ended_right && state === 'bought')) && <GiveBack {...order} purchase={purchase} />}
        {canGuestTakeBack(purchase) && (
          <form method="post" action={`/purchase/${order.id}/refund`}>
            <input type="hidden" name="access" value={order.access} />
            <Button type="submit" look="outline" name="takes_back" value="1">
              {dashboardTexts.takeRequestBack}
            </Button>
          </form>
        )}
        {state === 'canceled' && <ButtonLink to="/#book-sales">{guestTexts.backToBook}</ButtonLink>}
      </Message>
    </SiteFrame>
  )
}

/** The page names no address: its own stays in the browser’s history. */
function ReceiptAndLink({ download_url, release }: GuestPurchase['product']) {
  const sendsMail = useSendsMail()
  if (!sendsMail && !download_url) return null
  if (!sendsMail) return <p className="text-pretty text-soft">{guestTexts.noMail}</p>
  return (
    <div className="w-full rounded-lg border border-line bg-surface p-6 text-start sm:p-8">
      <p className="text-pretty text-soft">{guestTexts.receiptComesThere}</p>
      <h2 className="mt-5 font-display text-2xl">{guestTexts.linkTitle}</h2>
      <p className="mt-2 text-pretty text-soft">
        {fill(guestTexts.linkInReceipt, { days: linkDaysOf(release) })}
      </p>
    </div>
  )
}

function Unknown() {
  return (
    <SiteFrame>
      <Message
        title={guestTexts.unknown}
        text={useSendsMail() ? guestTexts.unknownText : guestTexts.unknownNoMail}
      >
        <p className="flex flex-wrap justify-center gap-3">
          <ButtonLink to="/#contact">{guestTexts.writeToAuthor}</ButtonLink>
          <ButtonLink to="/" look="outline">
            {guestTexts.backToBook}
          </ButtonLink>
        </p>
      </Message>
    </SiteFrame>
  )
}

function Waiting({ address }: Pick<OpenedPurchase, 'address'>) {
  return (
    <div className="grid justify-items-center gap-4 text-soft">
      <p>{useSendsMail() ? guestTexts.slowMail : guestTexts.slow}</p>
      {address && (
        <ButtonLink to={address} look="outline">
          {siteTexts.loadAgain}
        </ButtonLink>
      )}
    </div>
  )
}

type OfOrder = { id: string; access: string; purchase: GuestPurchase }

function Downloads({ id, access, purchase }: OfOrder) {
  const { product } = purchase
  const until = untilWords(purchase, { isLink: false }, formatWithZone)
  if (!product.is_digital || product.download_url === null) return null
  const files = product.files.filter(({ is_lost }) => !is_lost)
  if (files.length === 0 && product.files.length > 0)
    return <p className="text-pretty">{dashboardTexts.notAvailable}</p>
  return (
    <div className="w-full rounded-lg border border-line bg-surface p-6 text-start sm:p-8">
      <h2 className="mb-4 font-display text-2xl">{guestTexts.download}</h2>
      <div className="flex flex-wrap gap-2">
        {(files.length > 0 ? files : [undefined]).map((file, index) => (
          <form
            key={file ? file.product_id + file.file_format : ''}
            method="post"
            action={`/purchase/${id}/download`}
          >
            <input type="hidden" name="access" value={access} />
            {file && <input type="hidden" name="file_format" value={file.file_format} />}
            {file && <input type="hidden" name="product_id" value={file.product_id} />}
            <Button type="submit" look={index === 0 ? 'primary' : 'outline'}>
              {file ? fill(dashboardTexts.downloadFile, { file: nameOf(file) }) : dashboardTexts.download}
            </Button>
          </form>
        ))}
      </div>
      {until && <p className="mt-4 text-sm text-pretty text-soft">{until}</p>}
      <HowToRead files={files} />
    </div>
  )
}

function nameOf({ title, file_format, file_size }: PurchasedFile): string {
  const size = file_size === null ? '' : ` (${formatFileSize(file_size)})`
  return `${title}, ${file_format.toUpperCase()}${size}`
}

/** The first step opens it, the second declares it. */
function GiveBack({ id, access, purchase }: OfOrder) {
  const { product, number, refund_right } = purchase
  const texts = textsOf(refund_right)
  const { legal } = useBook()
  const ending = endingOf(purchase)
  const sendsMail = useSendsMail()
  return (
    <details className="w-full text-start">
      <summary className="mx-auto w-fit cursor-pointer rounded-md border border-edge px-5 py-2.5 font-semibold">
        {texts.button}
      </summary>
      <form method="post" action={`/purchase/${id}/refund`} className="mt-5 grid gap-5">
        <h2 className="font-display text-2xl">{texts.question}</h2>
        {refund_right === 'law' && (
          <p>
            {fill(dashboardTexts.withdrawing, { product: product.name, number: formatOrderNumber(number) })}
          </p>
        )}
        <p className="text-pretty text-soft">
          {[
            consequence({ ...purchase, isOfGuest: true }, legal),
            ending,
            sendsMail && dashboardTexts.confirmedByEmail,
          ]
            .filter(Boolean)
            .join(' ')}
        </p>
        <input type="hidden" name="access" value={access} />
        {refund_right === null && <input type="hidden" name="is_request" value="1" />}
        <TextField label={dashboardTexts.missing} name="reason" rows={3} maxLength={1000} required={false} />
        <p>
          <Button type="submit" look="danger">
            {texts.confirm}
          </Button>
        </p>
      </form>
    </details>
  )
}
