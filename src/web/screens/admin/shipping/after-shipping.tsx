import { useState } from 'react'
import { useFetcher } from 'react-router'
import { isUndoable, type Shipment } from '#features/shipping/contract/shipments.ts'
import { readText } from '../../../form.ts'
import { Button } from '../../../components/button.tsx'
import { Confirm } from '../../../components/confirm.tsx'
import { CancelButton, Dialog } from '../../../components/dialog.tsx'
import { Field } from '../../../components/field.tsx'
import { useUnsavedChanges } from '../../../use-unsaved-changes.ts'
import { actionsPath } from './actions.ts'
import { CarrierField } from './ship-dialog.tsx'

type AfterShippingProps = {
  purchase_id: string
  name: string
  shipment: Pick<Shipment, 'carrier' | 'tracking_number' | 'shipped_at'>
}

export function AfterShipping({ purchase_id, name, shipment }: AfterShippingProps) {
  const fetcher = useFetcher()
  const [asked, setAsked] = useState<'track' | 'undo'>()
  const [now] = useState(() => new Date())
  const canUndo = shipment.shipped_at !== null && isUndoable(new Date(shipment.shipped_at), now)
  const close = () => setAsked(undefined)
  function send(fields: Record<string, string>) {
    void fetcher.submit({ ...fields, id: purchase_id }, { method: 'post', action: actionsPath })
    close()
  }
  const isBusy = fetcher.state !== 'idle'
  return (
    <>
      <Button
        look="quiet"
        className="px-3! whitespace-nowrap"
        disabled={isBusy}
        aria-label={`Change tracking for ${name}`}
        onClick={() => setAsked('track')}
      >
        Tracking
      </Button>
      {canUndo && (
        <Button
          look="quiet"
          className="px-3! whitespace-nowrap"
          disabled={isBusy}
          aria-label={`Put back for ${name}`}
          onClick={() => setAsked('undo')}
        >
          Put back
        </Button>
      )}
      {asked === 'undo' && (
        <Confirm
          title="Not shipped after all?"
          action="Put it back"
          onClose={close}
          onConfirm={() => send({ adminAction: 'undo' })}
        >
          Parcel {name} is again among what is to be shipped, without its tracking number. An email that was
          sent already cannot be taken back.
        </Confirm>
      )}
      {asked === 'track' && (
        <Dialog title="Carrier and number" onClose={close}>
          <TrackingForm
            shipment={shipment}
            onSave={(tracking) => send({ adminAction: 'track', ...tracking })}
          />
        </Dialog>
      )}
    </>
  )
}

type TrackingFormProps = {
  shipment: AfterShippingProps['shipment']
  onSave: (tracking: { carrier: string; tracking_number: string }) => void
}

function TrackingForm({ shipment, onSave }: TrackingFormProps) {
  const { markChanged } = useUnsavedChanges()
  return (
    <form
      className="mt-5 grid gap-5 text-left text-base"
      onInput={markChanged}
      onSubmit={(event) => {
        event.preventDefault()
        const form = new FormData(event.currentTarget)
        const field = (name: string) => readText(form, name)
        onSave({ carrier: field('carrier'), tracking_number: field('tracking_number') })
      }}
    >
      <CarrierField carrier={shipment.carrier ?? ''} />
      <Field
        label="Tracking number (optional)"
        name="tracking_number"
        defaultValue={shipment.tracking_number ?? ''}
        required={false}
        maxLength={60}
        autoComplete="off"
      />
      <p className="text-sm text-soft">The reader sees it on the dashboard; no email is sent.</p>
      <p className="flex flex-wrap justify-end gap-3">
        <CancelButton />
        <Button type="submit">Save</Button>
      </p>
    </form>
  )
}
