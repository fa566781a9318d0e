import { useState } from 'react'
import { tracking } from '#contract/orders/admin-shipments.ts'
import { isUndoable, type Shipment } from '#contract/orders/shipments.ts'
import type { ShipmentsApi } from '#domains/orders/shipping.routes.ts'
import { Field } from '../../../components/field.tsx'
import { adminClient } from '../admin-client.ts'
import { CallButton } from '../call-button.tsx'
import { DialogFormButton } from '../action-form.tsx'
import { CarrierField } from './ship-dialog.tsx'

const api = adminClient<ShipmentsApi>()
const failed = 'Couldn’t save the change'

type AfterShippingProps = {
  purchase_id: string
  name: string
  shipment: Pick<Shipment, 'carrier' | 'tracking_number' | 'shipped_at'>
}

export function AfterShipping({ purchase_id, name, shipment }: AfterShippingProps) {
  const [now] = useState(() => new Date())
  const param = { id: purchase_id }
  return (
    <>
      <DialogFormButton
        button={{
          look: 'quiet',
          className: 'px-3! whitespace-nowrap',
          'aria-label': `Change tracking for ${name}`,
          children: 'Tracking',
        }}
        title="Carrier and number"
        action="Save"
        schema={tracking}
        call={(json) => api.shipments[':id'].tracking.$put({ param, json })}
        done={{ title: 'Tracking changed', description: 'The reader sees it on the dashboard.' }}
        failed={failed}
      >
        {(field) => (
          <>
            <CarrierField carrier={shipment.carrier ?? ''} problem={field('carrier').problem} />
            <Field
              label="Tracking number (optional)"
              defaultValue={shipment.tracking_number ?? ''}
              required={false}
              maxLength={60}
              autoComplete="off"
              {...field('tracking_number')}
            />
            <p className="text-sm text-soft">The reader sees it on the dashboard; no email is sent.</p>
          </>
        )}
      </DialogFormButton>
      {shipment.shipped_at && isUndoable(new Date(shipment.shipped_at), now) && (
        <CallButton
          look="quiet"
          className="px-3! whitespace-nowrap"
          label="Put back"
          name={`Put back for ${name}`}
          question={{ title: 'Not shipped after all?', action: 'Put it back' }}
          call={() => api.shipments[':id'].shipped.$delete({ param })}
          done={{ title: 'Put back', description: 'It is on the list of parcels to ship again.' }}
          failed={failed}
        >
          Parcel {name} is again among what is to be shipped, without its tracking number. An email that was
          sent already cannot be taken back.
        </CallButton>
      )}
    </>
  )
}
