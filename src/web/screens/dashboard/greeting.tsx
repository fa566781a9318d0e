import { dashboardTexts } from '#words/dashboard.ts'
import { fill } from '#words/fill.ts'
import { fillParts } from '../../fill-parts.tsx'
import { X } from '../../components/icons.tsx'
import { useId, useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { addressLines } from '#contract/orders/postal.ts'
import type { PostalAddress } from '#contract/postal-address.ts'
import type { Purchase } from '#contract/orders/purchases.ts'
import { formatMoney } from '../../format.ts'
import { clearPurchase } from '../../just-bought.ts'
import { useSendsMail } from '../../shop.ts'
import { AddressButton } from './address-button.tsx'
import { Downloads } from '../../downloads.tsx'
import { HowToRead } from './how-to-read.tsx'

type GreetingProps = {
  purchase: Purchase
  isNew: boolean
  email: string | undefined
  readsMails: boolean
  countries: readonly string[]
  lastAddress: PostalAddress | undefined
}

export function Greeting(props: GreetingProps) {
  const { purchase, isNew, email, readsMails, countries, lastAddress } = props
  const titleId = useId()
  const sendsMail = useSendsMail()
  const [isClosed, setIsClosed] = useState(false)
  if (isClosed) return null
  const { id, number, amount, currency, product, shipment } = purchase
  function close() {
    clearPurchase()
    setIsClosed(true)
    document.getElementById('purchases')?.focus()
  }
  return (
    <section
      aria-labelledby={titleId}
      className="relative mb-8 rounded-lg border border-gold/60 bg-surface p-6 shadow-lg shadow-gold/10 sm:mb-10 sm:p-8"
    >
      <button
        type="button"
        aria-label={dashboardTexts.dismiss}
        className="absolute top-3 end-3 grid size-11 cursor-pointer place-items-center rounded-md text-soft hover:text-ink"
        onClick={close}
      >
        <X aria-hidden className="size-5" />
      </button>
      <h2 id={titleId} className="pe-10 font-display text-2xl font-semibold text-balance wrap-anywhere">
        {fill(dashboardTexts.thanks, { product: product.name })}
      </h2>
      <p className="mt-2 text-soft tabular-nums">
        {fill(dashboardTexts.orderPaid, {
          number: formatOrderNumber(number),
          amount: formatMoney(amount, currency),
        })}{' '}
        {sendsMail
          ? fillParts(dashboardTexts.receiptGoesTo, {
              email: <span className="wrap-anywhere text-ink">{email}</span>,
            })
          : dashboardTexts.findReceipt}{' '}
        <Link
          to={`/dashboard/receipts/${id}`}
          className="rounded-sm font-semibold text-ink underline underline-offset-4"
        >
          {dashboardTexts.yourReceipt}
        </Link>
      </p>
      {readsMails && (
        <p className="mt-2 text-soft">
          {fillParts(dashboardTexts.emailNotSetUp, {
            link: (
              <Link
                to="/admin/mails"
                className="rounded-sm font-semibold text-ink underline underline-offset-4"
              >
                {dashboardTexts.readEmail}
              </Link>
            ),
          })}
        </p>
      )}
      <div className="mt-6 grid gap-x-10 gap-y-6 lg:grid-cols-2">
        {product.download_url && <Files purchase={purchase} />}
        {shipment?.is_to_ship && (
          <Parcel
            purchase={purchase}
            isNew={isNew}
            address={shipment.address}
            countries={countries}
            lastAddress={lastAddress}
          />
        )}
      </div>
      <HowToRead files={product.files} />
    </section>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <h3 className="mb-2.5 font-semibold">{title}</h3>
      {children}
    </div>
  )
}

function Files({ purchase: { id, product } }: { purchase: Purchase }) {
  return (
    <Part title={dashboardTexts.yourFiles}>
      <Downloads product={product} purchase_id={id} />
    </Part>
  )
}

type ParcelProps = Omit<GreetingProps, 'email' | 'readsMails'> & { address: PostalAddress | null }

function Parcel({ purchase, isNew, address, countries, lastAddress }: ParcelProps) {
  return (
    <Part title={dashboardTexts.yourParcel}>
      {address ? (
        <p className="text-soft">
          {fillParts(dashboardTexts.willShip, {
            address: <span className="wrap-anywhere text-ink">{addressLines(address).join(', ')}</span>,
          })}
        </p>
      ) : (
        <>
          <p className="mb-3 text-soft">{dashboardTexts.needAddressFirst}</p>
          <AddressButton
            purchase={purchase}
            label={dashboardTexts.tellUs}
            countries={countries}
            lastAddress={lastAddress}
            opensAtOnce={isNew}
          />
        </>
      )}
    </Part>
  )
}
