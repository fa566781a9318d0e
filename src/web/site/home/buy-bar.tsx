// An island, on a phone: the price and the way to the book, while neither the hero's button nor the products are on the
// screen (bars.ts).
import { BottomBar } from '../../components/section.tsx'
import { onlyOffer } from '../../product/offers.ts'
import { LowestPrice, PriceLine } from '../discount/price-line.tsx'
import { useBookFacts } from '../../shop.ts'
import { BuyNow, useWayLabel } from './buy-button.tsx'
import { useProducts } from './products.ts'

export function BuyBar() {
  const { title } = useBookFacts()
  const products = useProducts()
  const label = useWayLabel()
  if (typeof products === 'string' || products.length === 0) return null
  return (
    <BottomBar label={label} className="md:hidden">
      <p className="min-w-0 grow">
        <span className="block truncate font-display text-lg leading-snug">{title}</span>
        <span className="block truncate text-sm text-soft">
          {/* The names of several formats would be cut off. */}
          {onlyOffer(products) ? <PriceLine products={products} /> : <LowestPrice products={products} />}
        </span>
      </p>
      <div className="shrink-0">
        <BuyNow products={products} className="" />
      </div>
    </BottomBar>
  )
}
