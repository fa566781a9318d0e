import { dashboardTexts } from '#words/dashboard.ts'
import { lazy, Suspense } from 'react'
import { useFetcher } from 'react-router'
import type { PostalAddress } from '#contract/postal-address.ts'
import type { Purchase } from '#contract/orders/purchases.ts'
import { Button } from '../../components/button.tsx'
import { useQuestion } from '../../use-question.ts'
import { readText } from '../../form.ts'
import { addressProblems, readAddress, type AddressProblems } from '../../address-form.ts'
import { api } from '../../api.ts'
import { failure } from '../../copy.ts'
import { toast } from '../../toasts.tsx'

const AddressDialog = lazy(() => import('../../address-dialog.tsx'))

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
  const payable = shipping?.country ? [shipping.country] : countries
  const isElsewhere = address && !payable.includes(address.country)
  const offered = isElsewhere ? [...payable, address.country] : payable
  const last = lastAddress && offered.includes(lastAddress.country) ? lastAddress : undefined
  const fetcher = useFetcher<typeof correctAddress>()
  const { isOpen, problems, open, close } = useQuestion(fetcher.data, opensAtOnce)
  return (
    <>
      <Button
        look={look}
        className={look === 'quiet' ? 'px-3! underline underline-offset-4 max-sm:ms-4.5' : 'max-sm:w-full'}
        aria-label={`${label}: ${product.name}, ${product.format}`}
        onClick={open}
      >
        {label}
      </Button>
      {isOpen && (
        <Suspense>
          <AddressDialog
            title={address ? dashboardTexts.correctTheAddress : dashboardTexts.where}
            action={dashboardTexts.keepAddress}
            countries={offered}
            address={address ?? last}
            problems={problems}
            isBusy={fetcher.state !== 'idle'}
            onSubmit={(given) =>
              void fetcher.submit({ intent: 'address', purchase_id: id, ...given }, { method: 'post' })
            }
            onClose={close}
          >
            {!address && last && <span>{`${dashboardTexts.lastAddress} `}</span>}
            <span>{dashboardTexts.canCorrect}</span>
          </AddressDialog>
        </Suspense>
      )}
    </>
  )
}

export async function correctAddress(form: FormData): Promise<{ problems: AddressProblems | undefined }> {
  try {
    const param = { id: readText(form, 'purchase_id') }
    await api.purchases[':id'].address.$put({ param, json: readAddress(form) })
    toast(dashboardTexts.addressSaved)
  } catch (error) {
    const problems = addressProblems(error)
    if (!problems) toast(failure(dashboardTexts.addressFailed, error))
    // What was typed stays, also when another field is wrong.
    return { problems: problems ?? {} }
  }
  return { problems: undefined }
}
