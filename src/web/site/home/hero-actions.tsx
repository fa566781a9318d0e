// An island: what the hero offers, the only product itself or the way to all of them; and what it costs.
import { homeTexts } from '#words/home.ts'
import { siteTexts } from '#words/site.ts'
import { Anchor, buttonClass } from '../../components/button.tsx'
import { OfferLine } from '../discount/price-line.tsx'
import { useBookFacts } from '../../shop.ts'
import { BuyNow } from './buy-button.tsx'
import { useProducts } from './products.ts'

const size = 'min-h-13 text-lg sm:px-7'

export function HeroActions({ learnMore }: { learnMore: string }) {
  const { is_sample } = useBookFacts()
  const products = useProducts()
  const isToPreview = !is_sample && learnMore === 'preview'
  const list = typeof products === 'string' ? [] : products
  return (
    <>
      <div className="flex flex-wrap gap-3 max-lg:justify-center">
        <div className="grid max-sm:grow">
          <BuyNow products={list} className={size} />
        </div>
        <Anchor to={learnMore} className={buttonClass('outline', `${size} max-sm:grow`)}>
          {isToPreview ? siteTexts.readPreview : homeTexts.learnMore}
        </Anchor>
      </div>
      {!is_sample && (
        <p className="mt-4 min-h-6 text-soft">
          <OfferLine products={list} />
        </p>
      )}
    </>
  )
}
