// The dialog that asks for consent to an immediate delivery.
import { buyingTexts } from '#words/buying.ts'
import { fill } from '#words/texts.ts'
import type { Product } from '#contract/catalog/products.ts'
import { useId } from 'react'
import { Button } from '../../components/button.tsx'
import { byBrowser } from '../../forms/browser-validation.ts'
import { PaperFacts } from '../../product/eu-paper.tsx'
import { LettersBox } from '../../forms/letters-box.tsx'
import { readText, useForm } from '../../forms/form.ts'
import { CancelButton, Dialog } from '../../components/dialog.tsx'
import { useSaleMode } from '../../shop.ts'
import { LegalLinks } from '../legal/legal-links.tsx'
import { useContinueLabel } from './ask-country.tsx'
import { OrderSummary } from './order-summary.tsx'

type ConsentDialogProps = {
  product: Product
  price: number
  consent: string
  /** `letters`: the words of that box, where it was ticked. */
  onAgreed: (letters: string | undefined) => void
  onClose: () => void
}

const check = byBrowser(() => ({ consent: buyingTexts.tickBox }))

export default function ConsentDialog({ product, price, consent, onAgreed, onClose }: ConsentDialogProps) {
  const id = useId()
  const { form, field, clear } = useForm(check, (entered: FormData) =>
    onAgreed(readText(entered, 'letters') || undefined),
  )
  const { name: box, problem } = field('consent')
  const action = useAction(product, price)
  return (
    <Dialog title={buyingTexts.beforeYouBuy} onClose={onClose}>
      <OrderSummary product={product} price={price} />
      <p className="mt-4 text-pretty text-soft">
        {fill(product.ships ? buyingTexts.partDeliveredAtOnce : buyingTexts.deliveredAtOnce, {
          product: product.name,
        })}
      </p>
      <form {...form} className="mt-5">
        <label className="flex cursor-pointer gap-3 text-pretty">
          <input
            type="checkbox"
            required
            name={box}
            className="mt-1 size-5 shrink-0 accent-ink"
            aria-invalid={problem ? true : undefined}
            aria-describedby={problem ? id : undefined}
            onChange={clear}
          />
          {consent}
        </label>
        {problem && (
          <p id={id} className="mt-2 text-sm text-danger">
            {problem}
          </p>
        )}
        <div className="mt-5 empty:hidden">
          <LettersBox />
        </div>
        <LegalLinks opensTab className="mt-5 text-sm text-soft" />
        <div className="mt-5 grid gap-5 empty:hidden">
          <PaperFacts product={product} />
        </div>
        <p className="mt-6 flex flex-wrap justify-end gap-3 max-sm:*:grow">
          <CancelButton />
          <Button type="submit">{action}</Button>
        </p>
      </form>
    </Dialog>
  )
}

/** Nothing is bought by the button where the payment page follows, before which a parcel's place may be asked for. */
function useAction({ ships }: Product, price: number): string {
  const isPaid = useSaleMode() === 'paid'
  const label = useContinueLabel(buyingTexts.continue, price)
  if (!isPaid || (price === 0 && !ships)) return buyingTexts.agree
  return ships ? buyingTexts.next : label
}
