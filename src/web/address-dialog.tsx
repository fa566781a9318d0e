import { useRef, useState, type ReactNode } from 'react'
import { AddressFields } from './address-fields.tsx'
import { readAddress, type AddressProblems } from './address-form.ts'
import type { PostalAddress } from '#platform/contract/postal-address.ts'
import { address as addressSchema } from '#features/shipping/contract/shipments.ts'
import { checkFields } from './check-fields.ts'
import { Button } from './components/button.tsx'
import { CancelButton, Dialog } from './components/dialog.tsx'
import { useFocusWrong } from './focus-back.ts'
import { useUnsavedChanges } from './use-unsaved-changes.ts'

type AddressDialogProps = {
  title: string
  action: string
  countries: readonly string[]
  address?: PostalAddress | null | undefined
  problems?: AddressProblems | undefined
  isBusy?: boolean
  onSubmit: (address: PostalAddress) => void
  onClose: () => void
  renderSum?: ((country: string) => ReactNode) | undefined
  children?: ReactNode
}

export default function AddressDialog(props: AddressDialogProps) {
  const { title, action, countries, address, problems, isBusy = false, onSubmit, onClose } = props
  const { renderSum, children } = props
  const [country, setCountry] = useState(address?.country || countries[0] || 'US')
  const form = useRef<HTMLFormElement>(null)
  const [found, setFound] = useState<AddressProblems>()
  const shown = found ?? problems
  useFocusWrong(form, shown)
  const { markChanged, markSaved } = useUnsavedChanges()
  return (
    <Dialog title={title} isBusy={isBusy} onClose={onClose}>
      {children && <div className="mt-2 text-pretty text-soft">{children}</div>}
      <form
        ref={form}
        noValidate
        className="mt-5 grid gap-6"
        onInput={markChanged}
        onSubmit={(event) => {
          event.preventDefault()
          const given = readAddress(new FormData(event.currentTarget))
          if (isBusy) return
          const wrong = checkFields(addressSchema, given)
          setFound(wrong)
          if (wrong) return
          markSaved()
          onSubmit(given)
        }}
      >
        <AddressFields
          countries={countries}
          country={country}
          onCountry={setCountry}
          address={address}
          problems={shown}
        />
        {renderSum?.(country)}
        <p className="flex flex-wrap justify-end gap-3">
          <CancelButton disabled={isBusy} />
          <Button type="submit" disabled={isBusy}>
            {action}
          </Button>
        </p>
      </form>
    </Dialog>
  )
}
