// Where a bought book is: still here, on its way, and to which address; which can be corrected until it leaves.
import { MapPin, PackageCheck, Truck, type LucideIcon } from 'lucide-react'
import { lazy, Suspense, type ReactNode } from 'react'
import { useFetcher } from 'react-router'
import { addressLines } from '#contract/postal.ts'
import type { Purchase } from '#contract/purchases.ts'
import type { Shipment } from '#contract/shipments.ts'
import { addressProblems, readAddress, type AddressProblems } from '../../address-form.ts'
import { api } from '../../api.ts'
import { failure, notices } from '../../copy.ts'
import { formatDate } from '../../format.ts'
import { toast } from '../../toasts.tsx'
import { Tracking } from '../../tracking.tsx'
import { Button } from '../../ui/button.tsx'
import { useQuestion } from '../../use-question.ts'

const AddressDialog = lazy(() => import('../../address-dialog.tsx'))

/** What is wrong with the address, if anything is. */
export async function correctAddress(form: FormData): Promise<{ problems: AddressProblems | undefined }> {
  try {
    const param = { id: form.get('purchase_id') as string }
    await api.purchases[':id'].address.$put({ param, json: readAddress(form)! })
    toast(notices.addressKept)
  } catch (error) {
    const problems = addressProblems(error)
    if (!problems) toast(failure('Address Not Changed', error))
    // What was typed stays, also when it is not the address that is wrong.
    return { problems: problems ?? {} }
  }
  return { problems: undefined }
}

type ShipmentLineProps = { purchase: Purchase; shipment: Shipment; countries: readonly string[] }

export function ShipmentLine({ purchase, shipment, countries }: ShipmentLineProps) {
  const { address, shipped_at, carrier, is_to_ship } = shipment
  const lines = address ? addressLines(address).join(', ') : undefined
  if (shipped_at) {
    return (
      <Line icon={PackageCheck}>
        <span className="font-semibold text-ink">Shipped on {formatDate(shipped_at)}</span>
        {carrier && ' with '}
        <Tracking {...shipment} />
        {lines && <span className="block">To {lines}</span>}
      </Line>
    )
  }
  if (!is_to_ship) return null
  return (
    <Line
      icon={lines ? Truck : MapPin}
      action={<CorrectAddress purchase={purchase} address={address} countries={countries} />}
    >
      {lines ? (
        <>
          We will ship it to <span className="text-ink">{lines}</span>.
        </>
      ) : (
        <>
          <span className="font-semibold text-ink">Where shall we send it?</span> We have no address for it
          yet.
        </>
      )}
    </Line>
  )
}

function Line({
  icon: Icon,
  action,
  children,
}: {
  icon: LucideIcon
  action?: ReactNode
  children: ReactNode
}) {
  return (
    <div className="flex w-full flex-wrap items-center gap-x-4 rounded-md bg-ink/4 py-2 pr-2 pl-4 sm:gap-y-2 text-sm text-soft">
      <p className="flex min-w-0 basis-64 grow gap-3 py-1.5 break-words tabular-nums">
        <Icon aria-hidden className="mt-px size-4.5 shrink-0 text-gold-text" />
        <span className="min-w-0">{children}</span>
      </p>
      {action}
    </div>
  )
}

type CorrectAddressProps = {
  purchase: Purchase
  address: Shipment['address']
  countries: readonly string[]
}

function CorrectAddress({ purchase: { id, product }, address, countries }: CorrectAddressProps) {
  const fetcher = useFetcher<typeof correctAddress>()
  const { isOpen, problems, open, close } = useQuestion(fetcher.data)
  const label = address ? 'Correct address' : 'Add address'
  return (
    <>
      <Button
        look="quiet"
        className="px-3! underline max-sm:ml-4.5 underline-offset-4"
        aria-label={`${label} for ${product.name}, ${product.format}`}
        onClick={open}
      >
        {label}
      </Button>
      {isOpen && (
        <Suspense>
          <AddressDialog
            title={address ? 'Correct the address' : 'Where shall we send it?'}
            action="Keep this address"
            countries={countries}
            address={address}
            problems={problems}
            isBusy={fetcher.state !== 'idle'}
            onSubmit={(given) =>
              void fetcher.submit({ intent: 'address', purchase_id: id, ...given }, { method: 'post' })
            }
            onClose={close}
          >
            You can correct it until the book is on its way.
          </AddressDialog>
        </Suspense>
      )}
    </>
  )
}
