// The promises about every product, each only while it is true.
import type { Product } from '#contract/catalog/products.ts'
import { Gift, Lifelong, ShieldCheck, Truck, Zap } from '../../components/icons.tsx'
import { refundConditions } from '#contract/orders/prices.ts'
import { truths } from '../../product/offers.ts'
import { useBookFacts, useShippingRange } from '../../shop.ts'

const icons = [
  ['refund', ShieldCheck],
  ['ships', Truck],
  ['pdf', Zap],
  ['no_pdf', Zap],
  ['digital', Lifelong],
  ['bonus', Gift],
] as const

/** The guarantee stands by itself, too; any other claim that is alone only repeats what a card says. */
export function Claims({ products }: { products: readonly Product[] }) {
  const { claims } = useBookFacts()
  const isTrue = truths(products, useShippingRange())
  const shown = icons.filter(([name]) => isTrue[name] && claims[name])
  if (shown.length < 2 && !shown.some(([name]) => name === 'refund')) return null
  return (
    <>
      <ul className="mx-auto mt-6 flex max-w-5xl flex-wrap justify-center gap-x-9 gap-y-4 max-sm:w-fit max-sm:flex-col">
        {shown.map(([name, Icon]) => (
          <li key={name} className="flex items-center gap-2.5">
            <Icon aria-hidden className="size-5 shrink-0 text-gold-text" />
            {claims[name]}
          </li>
        ))}
      </ul>
      {claims.refund && (
        <p className="mx-auto mt-4 max-w-xl text-center text-sm text-pretty text-soft">
          {refundConditions({ ships: products.some(({ ships }) => ships) })}
        </p>
      )}
    </>
  )
}
