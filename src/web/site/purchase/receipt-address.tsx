// The card after the payment: where the receipt goes, and the way to correct a mistyped address.
import { useRef, useState } from 'react'
import { fill } from '#words/texts.ts'
import { guestTexts } from '#words/guest.ts'
import type { GuestPurchase } from '#contract/orders/guest-purchases.ts'
import { api, responseOf } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { CancelButton, Dialog } from '../../components/dialog.tsx'
import { Field } from '../../components/field.tsx'
import { asEntered, readText, useForm, type FormResult, showRefusal } from '../../forms/form.ts'
import { textAction } from '../../purchase/how-to-read.tsx'
import { findEntry, saveEntry } from '../../purchase/guest-purchases.ts'
import { useSendsMail } from '../../shop.ts'
import { toast } from '../../notices/toasts.tsx'

type ReceiptAddressProps = {
  id: string
  own: NonNullable<GuestPurchase['own']>
  proof: string
  reload: () => Promise<void>
}

export function ReceiptAddress({ id, own, proof, reload }: ReceiptAddressProps) {
  const sendsMail = useSendsMail()
  const [isOpen, setIsOpen] = useState(false)
  const words = sendsMail ? guestTexts.receiptComes : guestTexts.boughtWith
  return (
    <div className="grid justify-items-center gap-2">
      <p className="text-pretty break-words text-soft">{fill(words, { email: own.receipt_to })}</p>
      {own.is_correctable && (
        <Button look="quiet" className={textAction} onClick={() => setIsOpen(true)}>
          {guestTexts.correctAddress}
        </Button>
      )}
      {isOpen && (
        <Correct {...{ id, proof, reload }} typed={own.receipt_to} onClose={() => setIsOpen(false)} />
      )}
    </div>
  )
}

type CorrectProps = Omit<ReceiptAddressProps, 'own'> & { typed: string; onClose: () => void }

function Correct({ id, proof, reload, typed, onClose }: CorrectProps) {
  /** One for all tries: a repeated request moves once. */
  const moveId = useRef(crypto.randomUUID())
  const { form, isBusy, field } = useForm(asEntered, correct)

  async function correct(entered: FormData): Promise<FormResult | void> {
    const email = readText(entered, 'email').trim()
    if (email === typed) return onClose()
    try {
      const json = { proof, id: moveId.current, email }
      await responseOf(api.guest.purchases[':id'].address.$post({ param: { id }, json }))
      const entry = findEntry(id)
      if (entry) saveEntry({ ...entry, email })
      onClose()
      toast({ title: guestTexts.addressCorrected })
      await reload()
    } catch (error) {
      return showRefusal(guestTexts.addressNotCorrected, error)
    }
  }

  return (
    <Dialog title={guestTexts.correctTitle} isBusy={isBusy} onClose={onClose}>
      <p className="mt-3 text-pretty text-soft">{fill(guestTexts.correctText, { email: typed })}</p>
      <form {...form} className="mt-5 grid gap-5">
        <Field
          label={guestTexts.email}
          type="email"
          autoComplete="email"
          maxLength={254}
          defaultValue={typed}
          readOnly={isBusy}
          {...field('email')}
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
