// What every buyer may count on.
import { Gift, Lifelong, ShieldCheck, Truck, Zap } from '../../components/icons.tsx'
import { claims } from '#content/home.ts'
import type { Product } from '#features/products/contract/products.ts'
import { truths } from './offers.ts'

const icons = { always: ShieldCheck, ships: Truck, pdf: Zap, noPdf: Zap, digital: Lifelong, bonus: Gift }

export function Claims({ products }: { products: readonly Product[] }) {
  const isTrue = truths(products)
  return (
    <ul className="mx-auto mt-6 flex max-w-5xl flex-wrap justify-center gap-x-9 gap-y-4 max-sm:w-fit max-sm:flex-col">
      {claims.map(({ when, text }) => {
        const Icon = icons[when]
        return (
          isTrue[when] && (
            <li key={when} className="flex items-center gap-2.5">
              <Icon aria-hidden className="size-5 shrink-0 text-gold-text" />
              {text}
            </li>
          )
        )
      })}
    </ul>
  )
}
