import { dashboardTexts } from '#words/dashboard.ts'
import { fill } from '#words/fill.ts'
import { fillParts } from '../../fill-parts.tsx'
import { Truck, type Icon } from '../../components/icons.tsx'
import { MapPin, PackageCheck } from '../../components/further-icons.tsx'
import type { ReactNode } from 'react'
import { addressLines } from '#contract/orders/postal.ts'
import type { PostalAddress } from '#contract/postal-address.ts'
import type { Purchase } from '#contract/orders/purchases.ts'
import type { Shipment } from '#contract/orders/shipments.ts'
import { formatDate } from '../../format.ts'
import { Tracking } from '../../tracking.tsx'
import { AddressButton } from './address-button.tsx'

type ShipmentLineProps = {
  purchase: Purchase
  shipment: Shipment
  countries: readonly string[]
  lastAddress: PostalAddress | undefined
}

export function ShipmentLine({ purchase, shipment, countries, lastAddress }: ShipmentLineProps) {
  const { address, shipped_at, carrier, is_to_ship } = shipment
  const lines = address ? addressLines(address).join(', ') : undefined
  if (shipped_at) {
    return (
      <Line icon={PackageCheck}>
        <span className="font-semibold text-ink">
          {fill(dashboardTexts.shippedOn, { date: formatDate(shipped_at) })}
        </span>
        {carrier && <span>{` ${dashboardTexts.shippedWith} `}</span>}
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
          {fillParts(dashboardTexts.willShip, { address: <span className="text-ink">{lines}</span> })}
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
