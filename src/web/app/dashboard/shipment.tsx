// The shipment of a purchase in the dashboard, and the button that corrects its address.
import { dashboardTexts } from '#words/dashboard.ts'
import { guestTexts } from '#words/guest.ts'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useRevalidator } from 'react-router'
import { deliveryTime } from '#contract/orders/parcel-words.ts'
import { type PostalAddress, addressLines, firstThenByName } from '#contract/orders/postal.ts'
import type { Purchase } from '#contract/orders/purchases.ts'
import { Button } from '../../components/button.tsx'
import type { FormResult } from '../../forms/form.ts'
import { addressProblems } from '../../forms/address-form.ts'
import { api } from '../../api.ts'
import { failure } from '../../notices/send.ts'
import { toast } from '../../notices/toasts.tsx'
import { fill } from '#words/texts.ts'
import { fillParts } from '../../format/fill-parts.tsx'
import { Truck, type Icon } from '../../components/icons.tsx'
import { MapPin, PackageCheck } from '../../components/further-icons.tsx'
import type { Shipment } from '#contract/orders/shipments.ts'
import { formatDate } from '../../format/format.tsx'
import { Tracking } from '../../purchase/tracking.tsx'
import { useDeliveryDays } from '../../shop.ts'

const AddressDialog = lazy(() => import('../../forms/address-dialog.tsx'))

type AddressButtonProps = {
  purchase: Purchase
  label: string
  look?: 'primary' | 'quiet'
  countries: readonly string[]
  lastAddress: PostalAddress | undefined
  opensAtOnce?: boolean
}

export function AddressButton(props: AddressButtonProps) {
  const { purchase, label, look = 'primary', countries, lastAddress, opensAtOnce = false } = props
  const { id, product, shipment, shipping } = purchase
  const address = shipment?.address ?? undefined
  // The price of shipping was for one country; the author may have corrected the address to any other one.
  const payable = shipping?.country ? [shipping.country] : firstThenByName(countries)
  const isElsewhere = address && !payable.includes(address.country)
  const offered = isElsewhere ? [...payable, address.country] : payable
  const last = lastAddress && offered.includes(lastAddress.country) ? lastAddress : undefined
  const { revalidate } = useRevalidator()
  const [isOpen, setIsOpen] = useState(opensAtOnce)
  async function save(input: PostalAddress) {
    const result = await correctAddress(id, input)
    if (result.isSaved) {
      setIsOpen(false)
      void revalidate()
    }
    return result
  }
  return (
    <>
      <Button
        look={look}
        className={look === 'quiet' ? 'px-3! underline underline-offset-4 max-sm:ms-4.5' : 'max-sm:w-full'}
        aria-label={`${label}: ${product.name}, ${product.format}`}
        onClick={() => setIsOpen(true)}
      >
        {label}
      </Button>
      {isOpen && (
        <Suspense>
          <AddressDialog
            title={address ? dashboardTexts.correctTheAddress : dashboardTexts.where}
            action={dashboardTexts.saveAddress}
            countries={offered}
            address={address ?? last}
            send={save}
            onClose={() => setIsOpen(false)}
          >
            {!address && last && <span>{`${dashboardTexts.lastAddress} `}</span>}
            <span>{dashboardTexts.canCorrect}</span>
          </AddressDialog>
        </Suspense>
      )}
    </>
  )
}

async function correctAddress(id: string, json: PostalAddress): Promise<FormResult> {
  try {
    await api.purchases[':id'].address.$put({ param: { id }, json })
    toast(dashboardTexts.addressSaved)
    return { isSaved: true }
  } catch (error) {
    const problems = addressProblems(error)
    if (!problems) toast(failure(dashboardTexts.addressFailed, error))
    return { isSaved: false, problems }
  }
}

type ShipmentLineProps = {
  purchase: Purchase
  shipment: Shipment
  countries: readonly string[]
  lastAddress: PostalAddress | undefined
}

export function ShipmentLine({ purchase, shipment, countries, lastAddress }: ShipmentLineProps) {
  const { address, shipped_at, carrier, tracking_number, is_to_ship } = shipment
  const lines = address ? addressLines(address).join(', ') : undefined
  if (shipped_at) {
    return (
      <Line icon={PackageCheck}>
        <span className="font-semibold text-ink">
          {fill(dashboardTexts.shippedOn, { date: formatDate(shipped_at) })}
        </span>
        {(carrier || tracking_number) && <span>{' · '}</span>}
        <Tracking {...shipment} />
        {lines && <span className="block">{fill(dashboardTexts.shippedTo, { address: lines })}</span>}
      </Line>
    )
  }
  if (!is_to_ship) return null
  return (
    <Line
      icon={lines ? Truck : MapPin}
      isUrgent={!lines}
      action={
        <AddressButton
          purchase={purchase}
          label={address ? dashboardTexts.correctAddress : dashboardTexts.addAddress}
          look={address ? 'quiet' : 'primary'}
          countries={countries}
          lastAddress={lastAddress}
        />
      }
    >
      {lines ? (
        <span key="known">
          <span>
            {fillParts(dashboardTexts.willShip, { address: <span className="text-ink">{lines}</span> })}
          </span>
          {purchase.product.release?.is_partial && <span>{` ${guestTexts.parcelTogether}`}</span>}
          <DeliveredIn product={purchase.product} />
        </span>
      ) : (
        <span key="unknown">
          <span className="font-semibold text-ink">{dashboardTexts.needAddress}</span>{' '}
          {dashboardTexts.bookWaits}
        </span>
      )}
    </Line>
  )
}

/** How long it takes, where the author has said so. */
export function DeliveredIn({ product }: Pick<Purchase, 'product'>) {
  const days = useDeliveryDays()
  return days && <span>{` ${deliveryTime(product, days)}.`}</span>
}

type LineProps = {
  icon: Icon
  isUrgent?: boolean
  action?: ReactNode
  children: ReactNode
}

function Line({ icon: Icon, isUrgent = false, action, children }: LineProps) {
  return (
    <div
      className={`flex w-full flex-wrap items-center gap-x-4 gap-y-2 rounded-md py-2 pe-2 ps-4 text-sm text-soft max-sm:gap-y-0 ${isUrgent ? 'border border-gold/60 bg-gold/10 max-sm:pb-3' : 'bg-ink/4'}`}
    >
      <p className="flex min-w-0 basis-64 grow gap-3 py-1.5 break-words tabular-nums">
        <Icon aria-hidden className="mt-px size-4.5 shrink-0 text-gold-text" />
        <span className="min-w-0">{children}</span>
      </p>
      {action}
    </div>
  )
}
