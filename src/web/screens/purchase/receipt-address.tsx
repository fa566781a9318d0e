// After the payment: where the receipt goes, and the way to correct a mistyped address.
import { fill } from '#words/fill.ts'
import { guestTexts } from '#words/guest.ts'
import { useRef, useState, type FormEvent } from 'react'
import { useRevalidator } from 'react-router'
import type { GuestPurchase } from '#contract/orders/guest-checkout.ts'
import { api, ProblemError, responseOf } from '../../api.ts'
import { failure } from '../../copy.ts'
import { readText } from '../../form.ts'
import { findEntry, saveEntry } from '../../guest-purchases.ts'
import { useSendsMail } from '../../shop.ts'
import { toast } from '../../toasts.tsx'
import { Button } from '../../components/button.tsx'
import { CancelButton, Dialog } from '../../components/dialog.tsx'
import { Field } from '../../components/field.tsx'

type ReceiptAddressProps = { id: string; own: NonNullable<GuestPurchase['own']>; proof: string }

export function ReceiptAddress({ id, own, proof }: ReceiptAddressProps) {
  const sendsMail = useSendsMail()
  const [isOpen, setIsOpen] = useState(false)
  const words = sendsMail ? guestTexts.receiptComes : guestTexts.boughtWith
  return (
    <div className="grid justify-items-center gap-2">
      <p className="text-pretty break-words text-soft">{fill(words, { email: own.receipt_to })}</p>
      {own.is_correctable && (
        <Button look="quiet" onClick={() => setIsOpen(true)}>
          {guestTexts.correctAddress}
        </Button>
      )}
      {isOpen && <Correct id={id} proof={proof} typed={own.receipt_to} onClose={() => setIsOpen(false)} />}
    </div>
  )
}

type CorrectProps = { id: string; proof: string; typed: string; onClose: () => void }

function Correct({ id, proof, typed, onClose }: CorrectProps) {
  const { revalidate } = useRevalidator()
  /** One for all tries: a repeated request moves once. */
  const moveId = useRef(crypto.randomUUID())
  const [isBusy, setIsBusy] = useState(false)
  const [problem, setProblem] = useState<string>()

  async function correct(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isBusy) return
    const email = readText(new FormData(event.currentTarget), 'email').trim()
    if (email === typed) return onClose()
    setIsBusy(true)
    setProblem(undefined)
    try {
      const json = { proof, id: moveId.current, email }
      await responseOf(api.guest.purchases[':id'].address.$post({ param: { id }, json }))
      const entry = findEntry(id)
      if (entry) saveEntry({ ...entry, email })
      onClose()
      toast({ title: guestTexts.addressCorrected })
      await revalidate()
    } catch (error) {
      const wrong = error instanceof ProblemError ? error.fields?.['email'] : undefined
      setProblem(wrong)
      if (!wrong) toast(failure(guestTexts.addressNotCorrected, error))
    }
    setIsBusy(false)
  }

  return (
    <Dialog title={guestTexts.correctTitle} isBusy={isBusy} onClose={onClose}>
      <p className="mt-3 text-pretty text-soft">{fill(guestTexts.correctText, { email: typed })}</p>
      <form noValidate className="mt-5 grid gap-5" onSubmit={(event) => void correct(event)}>
        <Field
          label={guestTexts.email}
          name="email"
          type="email"
          autoComplete="email"
          maxLength={254}
          defaultValue={typed}
          readOnly={isBusy}
          problem={problem}
        />
        <p className="flex flex-wrap justify-end gap-3 max-sm:*:grow">
          <CancelButton />
          <Button type="submit" busy={isBusy} aria-disabled={isBusy}>
            {isBusy ? guestTexts.continuing : guestTexts.correctIt}
          </Button>
        </p>
      </form>
    </Dialog>
  )
}
