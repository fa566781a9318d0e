// Buying with an address only, where the product is offered.
import { cardsTexts } from '#words/buying.ts'
import { fill } from '#words/texts.ts'
import { guestTexts } from '#words/guest.ts'
import { useEffect, useState } from 'react'
import type { Product } from '#contract/catalog/products.ts'
import { isOnePrice } from '#contract/orders/prices.ts'
import type { ShippingTerms } from '#contract/orders/shipments.ts'
import { CancelButton, Dialog } from '../../components/dialog.tsx'
import { isPreorder } from '#contract/catalog/preorder.ts'
import { PaperFacts } from '../../product/eu-paper.tsx'
import { findUnpaid } from '../../purchase/guest-purchases.ts'
import { useSendsMail, useShippingRange } from '../../shop.ts'
import { LegalLinks } from '../legal/legal-links.tsx'
import { readTerms } from './buy.ts'
import { OrderSummary } from './order-summary.tsx'
import { GuestForm, guestIntro, useGuestForm } from './guest-form.tsx'

type GuestDialogProps = {
  product: Product
  price: number
  code: string | undefined
  onClose: () => void
}

export default function GuestDialog({ product, price, code, onClose }: GuestDialogProps) {
  const range = useShippingRange()
  const terms = useTerms(product.ships && !isOnePrice(range))
  const [known] = useState(() => findUnpaid(product.id)?.email)
  const sendsMail = useSendsMail()
  const state = useGuestForm({ product, code, terms })
  const title = fill(isPreorder(product) ? cardsTexts.preorderOf : guestTexts.title, {
    product: product.name,
  })
  return (
    <Dialog title={title} isBusy={state.isBusy} onClose={onClose}>
      <OrderSummary product={product} price={price} />
      <p className="mt-4 mb-5 text-pretty text-soft">{guestIntro(product, sendsMail)}</p>
      <GuestForm {...{ state, product, price, code, terms }} email={known} cancel={<CancelButton />}>
        <LegalLinks opensTab className="text-sm text-soft" />
        <PaperFacts product={product} />
      </GuestForm>
    </Dialog>
  )
}

/** Undefined until they are there, and where they are not needed. */
function useTerms(isNeeded: boolean): ShippingTerms | undefined {
  const [terms, setTerms] = useState<ShippingTerms>()
  useEffect(() => {
    // The shop says without the terms what is missing, once the order is sent.
    if (isNeeded) void readTerms().then(setTerms, () => undefined)
  }, [isNeeded])
  return terms
}
