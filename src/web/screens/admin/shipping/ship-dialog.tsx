import { useId, useState } from 'react'
import { useFetcher } from 'react-router'
import { carriers } from '#features/shipping/contract/postal.ts'
import type { ShippedRequest } from '#features/shipping/contract/admin-shipments.ts'
import { readText } from '../../../form.ts'
import { Callout } from '../../../components/callout.tsx'
import { Button } from '../../../components/button.tsx'
import { CancelButton, Dialog } from '../../../components/dialog.tsx'
import { Field } from '../../../components/field.tsx'
import { useUnsavedChanges } from '../../../use-unsaved-changes.ts'
import { actionsPath } from './actions.ts'

export type Parcel = { purchase_id: string; name: string; hasAddress: boolean; updated_at: string }

/** The next parcels mostly go with whom the last ones went. */
let lastCarrier = ''

export function ShipDialog({ parcels, onClose }: { parcels: readonly Parcel[]; onClose: () => void }) {
  const fetcher = useFetcher()
  const [isBuyerEmailed, setIsBuyerEmailed] = useState(true)
  const { markChanged } = useUnsavedChanges()
  const unknown = parcels.filter(({ hasAddress }) => !hasAddress).length
  const count = parcels.length === 1 ? '1 parcel' : `${parcels.length} parcels`

  function ship(form: FormData) {
    const carrier = readText(form, 'carrier').trim()
    lastCarrier = carrier
    const request: ShippedRequest = {
      parcels: parcels.map(({ purchase_id, updated_at }) => {
        const tracking_number = readText(form, purchase_id).trim()
        return { purchase_id, carrier, tracking_number, updated_at }
      }),
      is_told: isBuyerEmailed,
    }
    const fields = { adminAction: 'ship', request: JSON.stringify(request) }
    void fetcher.submit(fields, { method: 'post', action: actionsPath })
    onClose()
  }

  return (
    <Dialog title={`Ship ${count}?`} onClose={onClose}>
      <form
        className="mt-5 grid gap-5"
        onInput={markChanged}
        onSubmit={(event) => {
          event.preventDefault()
          ship(new FormData(event.currentTarget))
        }}
      >
        {unknown > 0 && (
          <Callout look="danger">
            {unknown === 1 ? 'One of them has' : `${unknown} of them have`} no address yet. Ship only what has
            really left.
          </Callout>
        )}
        <CarrierField carrier={lastCarrier} />
        <fieldset>
          <legend className="font-semibold">
            Tracking {parcels.length === 1 ? 'number' : 'numbers'} (optional)
          </legend>
          <ul className="mt-1.5 grid gap-2">
            {parcels.map(({ purchase_id, name }) => (
              <li key={purchase_id}>
                <label className="grid gap-1 text-sm text-soft">
                  <span className="break-words">{name}</span>
                  <input
                    name={purchase_id}
                    maxLength={60}
                    autoComplete="off"
                    className="rounded-md border border-edge bg-surface px-3.5 py-2 text-base text-ink"
                  />
                </label>
              </li>
            ))}
          </ul>
        </fieldset>
        <label className="flex items-center gap-3">
          <input
            type="checkbox"
            className="tick"
            checked={isBuyerEmailed}
            onChange={({ target }) => setIsBuyerEmailed(target.checked)}
          />
          Tell {parcels.length === 1 ? 'the reader' : 'the readers'} by email
        </label>
        <p className="flex flex-wrap justify-end gap-3">
          <CancelButton />
          <Button type="submit">Mark as shipped</Button>
        </p>
      </form>
    </Dialog>
  )
}

export function CarrierField({ carrier }: { carrier: string }) {
  const id = useId()
  return (
    <>
      <Field
        label="Carrier (optional)"
        name="carrier"
        list={id}
        defaultValue={carrier}
        required={false}
        maxLength={60}
        autoComplete="off"
        placeholder={`${carriers.slice(0, 3).join(', ')}...`}
      />
      <datalist id={id}>
        {carriers.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </datalist>
    </>
  )
}
