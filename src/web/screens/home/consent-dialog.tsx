import { buyingTexts } from '#words/buying.ts'
import { fill } from '#words/fill.ts'
import { useId, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { CancelButton, Dialog } from '../../components/dialog.tsx'
import { LegalLinks } from '../../legal-links.tsx'

type ConsentDialogProps = {
  name: string
  /** Only a part of it is digital. */
  isBundle: boolean
  consent: string
  onAgreed: () => void
  onClose: () => void
}

export default function ConsentDialog({ name, isBundle, consent, onAgreed, onClose }: ConsentDialogProps) {
  const id = useId()
  const box = useRef<HTMLInputElement>(null)
  const [isMissing, setIsMissing] = useState(false)
  function submit() {
    if (box.current?.checked) return onAgreed()
    setIsMissing(true)
    box.current?.focus()
  }
  return (
    <Dialog title={buyingTexts.beforeYouBuy} onClose={onClose}>
      <p className="mt-2 text-pretty text-soft">
        {fill(isBundle ? buyingTexts.partDeliveredAtOnce : buyingTexts.deliveredAtOnce, { product: name })}
      </p>
      <form
        noValidate
        className="mt-5"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <label className="flex cursor-pointer gap-3 text-pretty">
          <input
            ref={box}
            type="checkbox"
            className="mt-1 size-5 shrink-0 accent-ink"
            aria-invalid={isMissing || undefined}
            aria-describedby={isMissing ? id : undefined}
            onChange={() => setIsMissing(false)}
          />
          {consent}
        </label>
        {isMissing && (
          <p id={id} className="mt-2 text-sm text-danger">
            {buyingTexts.tickBox}
          </p>
        )}
        <LegalLinks opensTab className="mt-5 text-sm text-soft" />
        <p className="mt-6 flex flex-wrap justify-end gap-3">
          <CancelButton />
          <Button type="submit">{buyingTexts.agree}</Button>
        </p>
      </form>
    </Dialog>
  )
}
