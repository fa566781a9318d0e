// The dialog that marks parcels as sent, and what may be changed of a parcel afterwards.
import { createContext, useContext, useId, useState } from 'react'
import { z } from 'zod'
import {
  shippedRequest,
  tracking,
  type Parcel as ShippedParcel,
  type ShippedResponse,
} from '#contract/orders/admin-orders.ts'
import { addressLines, carriersFor } from '#contract/orders/postal.ts'
import type { ShipmentsApi } from '#domains/orders/shipments.routes.ts'
import { responseOf } from '../../../api.ts'
import { mailedNotice } from '../../../notices/mail-notice.ts'
import type { Toast } from '../../../notices/toasts.tsx'
import { Callout } from '../../../components/note.tsx'
import { useParcels } from '../../../shop.ts'
import { TestBadge } from '../../../purchase/status-badge.tsx'
import { Input, type FieldProps } from '../../schema-fields.tsx'
import { DialogForm } from '../../schema-form.tsx'
import { adminClient, DialogFormButton, useAdminCall, CallButton } from '../calls.tsx'
import { isUndoable } from '#contract/orders/shipments.ts'
import type { Parcel } from './parcels.tsx'

const api = adminClient<ShipmentsApi>()

/** The numbers stand in the order of the parcels. */
const shipForm = z.object({
  carrier: tracking.shape.carrier,
  tracking_number: z.array(tracking.shape.tracking_number),
  is_told: shippedRequest.shape.is_told,
})

/** The next parcels mostly go with whom the last ones went. */
let lastCarrier = ''

export default function ShipDialog({
  parcels,
  onClose,
}: {
  parcels: readonly Parcel[]
  onClose: () => void
}) {
  const [, run] = useAdminCall()
  const unknown = parcels.filter(({ address }) => !address).length

  function ship({ carrier, tracking_number: numbers, is_told }: z.infer<typeof shipForm>) {
    lastCarrier = carrier
    const shipped = parcels.map(({ purchase_id, updated_at }, at) => {
      return { purchase_id, carrier, tracking_number: numbers[at] ?? '', updated_at }
    })
    const json = { parcels: shipped, is_told }
    onClose()
    void run(() => responseOf(api.shipments.shipped.$post({ json })), {
      done: (response) => shippedNotice(response, is_told),
      failed: 'Couldn’t save the change',
    })
  }
  return (
    <ShippedParcels value={parcels}>
      <DialogForm
        title={`Ship ${countParcels(parcels.length)}?`}
        action="Mark as shipped"
        schema={shipForm}
        fields={{
          carrier: carrierField,
          tracking_number: {
            label: `Tracking ${parcels.length === 1 ? 'number' : 'numbers'} (optional)`,
            as: TrackingNumbers,
          },
          is_told: { label: `Tell ${parcels.length === 1 ? 'the reader' : 'the readers'} by email` },
        }}
        values={{ carrier: lastCarrier, is_told: true }}
        send={ship}
        onClose={onClose}
      >
        {unknown > 0 && (
          <Callout look="danger">
            {unknown === 1 ? 'One of them has' : `${unknown} of them have`} no address yet. Ship only what has
            really left.
          </Callout>
        )}
      </DialogForm>
    </ShippedParcels>
  )
}

const ShippedParcels = createContext<readonly Parcel[]>([])

function TrackingNumbers({ path, label }: FieldProps) {
  return (
    <fieldset>
      <legend className="font-semibold">{label}</legend>
      <ul className="mt-1.5 grid gap-2">
        {useContext(ShippedParcels).map(({ purchase_id, name, address, is_test }) => (
          <li key={purchase_id}>
            <label className="grid gap-1 text-sm text-soft">
              <span className="flex flex-wrap items-center gap-2">
                <span className="min-w-0 break-words">{name}</span>
                <TestBadge order={{ is_test }} />
              </span>
              <input
                name={path}
                maxLength={60}
                autoComplete="off"
                aria-describedby={address ? `address-of-${purchase_id}` : undefined}
                className="rounded-md border border-edge bg-surface px-3.5 py-2 text-base text-ink"
              />
            </label>
            {address && (
              <p id={`address-of-${purchase_id}`} className="mt-1 text-sm break-words text-soft">
                To {addressLines(address).join(', ')}
              </p>
            )}
          </li>
        ))}
      </ul>
    </fieldset>
  )
}

function CarrierInput(props: FieldProps) {
  const id = useId()
  // The setup puts the author's own country first, and the settings add others behind it.
  const [country] = useParcels().countries
  return (
    <>
      <Input {...props} input={{ list: id, maxLength: 60 }} />
      <datalist id={id}>
        {carriersFor(country).map((name) => (
          <option key={name}>{name}</option>
        ))}
      </datalist>
    </>
  )
}

const carrierField = {
  label: 'Carrier (optional)',
  example: 'For example: UPS',
  hint: 'With one of the list and a number, the reader gets a link to follow the parcel.',
  as: CarrierInput,
}

const countParcels = (count: number) => (count === 1 ? '1 parcel' : `${count} parcels`)

function shippedNotice(
  { shipped, skipped }: ShippedResponse,
  isReaderNotified: boolean,
): Toast | Promise<Toast> {
  const [is, has] = skipped.length === 1 ? ['is', 'has'] : ['are', 'have']
  const gone = `${countParcels(skipped.length)} had been shipped by another admin, ${is} not paid for any more, or ${has} another address by now.`
  if (shipped.length === 0) return { title: 'Nothing shipped', description: gone, destructive: true }
  const notice = (emails: string) => ({
    title: 'Marked as shipped',
    description: [`${countParcels(shipped.length)} on the way.`, emails, skipped.length > 0 && gone]
      .filter(Boolean)
      .join(' '),
  })
  if (!isReaderNotified) return notice('')
  return mailedNotice(
    notice(`${shipped.length === 1 ? 'The reader is' : 'The readers are'} notified by email.`),
    notice('Email is not set up, so the readers were not notified.'),
  )
}

const failed = 'Couldn’t save the change'

type AfterShippingProps = {
  purchase_id: string
  name: string
  shipment: Pick<ShippedParcel, 'carrier' | 'tracking_number' | 'shipped_at' | 'is_owed'>
}

export function AfterShipping({ purchase_id, name, shipment }: AfterShippingProps) {
  const [now] = useState(() => new Date())
  const param = { id: purchase_id }
  const { shipped_at, is_owed } = shipment
  return (
    <>
      <DialogFormButton
        button={{
          look: 'quiet',
          className: 'px-3! whitespace-nowrap',
          'aria-label': `Edit tracking for ${name}`,
          children: 'Edit tracking',
        }}
        title="Carrier and number"
        action="Save"
        loadSchema={async () => tracking}
        fields={{
          carrier: carrierField,
          tracking_number: {
            label: 'Tracking number (optional)',
            hint: 'The reader sees it on the dashboard; no email is sent.',
            input: { maxLength: 60 },
          },
        }}
        values={{ carrier: shipment.carrier ?? '', tracking_number: shipment.tracking_number ?? '' }}
        call={(json) => api.shipments[':id'].tracking.$put({ param, json })}
        done={{ title: 'Tracking changed', description: 'The reader sees it on the dashboard.' }}
        failed={failed}
      />
      {shipped_at && is_owed && isUndoable(new Date(shipped_at), now) && (
        <CallButton
          look="quiet"
          className="px-3! whitespace-nowrap"
          label="Not shipped after all"
          name={`Not shipped after all: ${name}`}
          question={{ title: 'Not shipped after all?', action: 'Put it back' }}
          call={() => api.shipments[':id'].shipped.$delete({ param })}
          done={{ title: 'Put back', description: 'It is on the list of parcels to ship again.' }}
          failed={failed}
        >
          Parcel {name} is back on the list of parcels to ship, without its tracking number. An email that was
          already sent cannot be recalled.
        </CallButton>
      )}
    </>
  )
}
