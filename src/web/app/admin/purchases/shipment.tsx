import { Time } from '../../../format.tsx'
import { Printer } from '../../../components/further-icons.tsx'
import { lazy, Suspense, useMemo, useState } from 'react'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { countriesByName } from '#contract/orders/countries.ts'
import { addressLines, type PostalAddress } from '#contract/orders/postal.ts'
import type { Shipment } from '#contract/orders/shipments.ts'
import type { ShipmentsApi } from '#domains/orders/shipping.routes.ts'
import type { OrderDetail } from '#contract/orders/admin-orders.ts'
import { Tracking } from '../../../tracking.tsx'
import { Badge } from '../../../components/badge.tsx'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { adminClient } from '../admin-client.ts'
import { Fact } from '../frame.tsx'
import { useAdminCall } from '../call-button.tsx'
import { AfterShipping, ShipDialog, type Parcel } from '../shipping/ship-dialog.tsx'

const api = adminClient<ShipmentsApi>()
const AddressDialog = lazy(() => import('../../../address-dialog.tsx'))

type ShipmentCardProps = {
  purchase: Pick<OrderDetail, 'id' | 'number' | 'email' | 'display_name'>
  shipment: Shipment
}

export function ShipmentCard({ purchase, shipment }: ShipmentCardProps) {
  const { address, shipped_at, is_to_ship, updated_at } = shipment
  const recipient = address?.name ?? purchase.display_name ?? purchase.email
  const name = `${formatOrderNumber(purchase.number)} · ${recipient}`
  return (
    <Card
      title="Shipping"
      action={<ShippingBadge shipment={shipment} />}
      contentClass="flex flex-wrap items-end justify-between gap-x-8 gap-y-5 px-5 py-4"
    >
      <dl className="grid gap-x-12 gap-y-4 sm:grid-flow-col [&_dt]:text-sm [&_dt]:text-soft">
        <Fact name="To">
          {address ? (
            <span className="block break-words whitespace-pre-line">{addressLines(address).join('\n')}</span>
          ) : (
            <span className={is_to_ship ? 'font-semibold text-danger' : 'text-soft'}>No address yet</span>
          )}
          {address?.phone && <span className="block text-sm text-soft">{address.phone}</span>}
        </Fact>
        {shipped_at && (
          <Fact name="Shipped" className="tabular-nums">
            <Time at={shipped_at} />
            <span className="block">
              <Tracking {...shipment} />
            </span>
          </Fact>
        )}
      </dl>
      <div className="flex flex-wrap gap-2 max-sm:w-full max-sm:*:grow">
        {!shipped_at && <CorrectAddress purchase_id={purchase.id} address={address} />}
        {is_to_ship && (
          <>
            <ButtonLink look="outline" to={`/admin/shipping/slips?ids=${purchase.id}`}>
              <Printer aria-hidden className="size-4.5" />
              Packing slip
            </ButtonLink>
            <Ship purchase_id={purchase.id} name={name} address={address} updated_at={updated_at} />
          </>
        )}
        {shipped_at && <AfterShipping purchase_id={purchase.id} name={name} shipment={shipment} />}
      </div>
    </Card>
  )
}

function ShippingBadge({ shipment: { shipped_at, is_to_ship } }: { shipment: Shipment }) {
  if (shipped_at) return <Badge look="highlighted">shipped</Badge>
  return <Badge>{is_to_ship ? 'to ship' : 'not to be shipped'}</Badge>
}

function Ship(parcel: Parcel) {
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      <Button onClick={() => setIsAsking(true)}>Mark as shipped</Button>
      {isAsking && <ShipDialog parcels={[parcel]} onClose={() => setIsAsking(false)} />}
    </>
  )
}

type CorrectAddressProps = { purchase_id: string; address: Shipment['address'] }

function CorrectAddress({ purchase_id, address }: CorrectAddressProps) {
  const [, run] = useAdminCall()
  const [isOpen, setIsOpen] = useState(false)
  const countries = useMemo(() => (isOpen ? usFirst() : []), [isOpen])
  async function save(json: PostalAddress) {
    const call = () => api.shipments[':id'].address.$put({ param: { id: purchase_id }, json })
    const result = await run(call, {
      done: { title: 'Address corrected', description: 'The book goes to this address.' },
      failed: 'Couldn’t save the change',
    })
    setIsOpen(!result.isSaved)
    return result
  }
  return (
    <>
      <Button look="outline" onClick={() => setIsOpen(true)}>
        {address ? 'Correct address' : 'Add address'}
      </Button>
      {isOpen && (
        <Suspense>
          <AddressDialog
            title={address ? 'Correct the address' : 'Where does it go?'}
            action="Keep this address"
            countries={countries}
            address={address}
            send={save}
            onClose={() => setIsOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}

function usFirst(): string[] {
  return ['US', ...countriesByName().filter((code) => code !== 'US')]
}
