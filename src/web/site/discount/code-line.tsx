// An island: whether the code of the link that led here counts. The line is reserved before the first paint
// (page-shell.tsx).
import { use } from 'react'
import { buyingTexts } from '#words/buying.ts'
import { fill } from '#words/texts.ts'
import { refusedCode } from '../../page/page-state.ts'
import { useStore } from '../../page/use-page.ts'
import { ProductsContext } from '../page-data.tsx'
import { takesCodes, useDiscount } from './entered-discount.ts'
import { DiscountSentence, useLowersPrices } from './discount-sentence.tsx'

export function CodeLine() {
  const products = use(ProductsContext) ?? []
  const discount = useDiscount()
  const refused = useStore(refusedCode)
  const isOfUse = useLowersPrices(products, discount)
  if (!takesCodes(products)) return null
  return (
    <p
      data-code-line=""
      className={`hidden h-11 items-center justify-center px-5 font-semibold coded:flex ${isOfUse ? 'bg-success/12 text-success' : 'text-soft'}`}
    >
      <span className="truncate">
        {discount ? (
          <span key={discount.code}>
            <DiscountSentence discount={discount} products={products} />
          </span>
        ) : (
          refused && <span key={refused}>{fill(buyingTexts.codeFailed, { code: refused })}</span>
        )}
      </span>
    </p>
  )
}
