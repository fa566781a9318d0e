// An island: whether the code of the link that led here counts. The line is reserved before the first paint
// (page-shell.tsx).
import { use } from 'react'
import { buyingTexts } from '#words/buying.ts'
import { fill } from '#words/texts.ts'
import { takesOff } from '#contract/orders/prices.ts'
import { useFormatMoney } from '../../money.tsx'
import { refusedCode } from '../../page-state.ts'
import { useStore } from '../../use-page.ts'
import { ProductsContext } from '../page-data.tsx'
import { discountFor, takesCodes, useDiscount } from '../price-line.tsx'
import { useCurrency } from '../../shop.ts'

export function CodeLine() {
  const products = use(ProductsContext) ?? []
  const discount = useDiscount()
  const refused = useStore(refusedCode)
  const currency = useCurrency()
  const formatMoney = useFormatMoney()
  if (!takesCodes(products)) return null
  const lowered = products.filter((each) => discountFor(each, discount, currency))
  const code = discount?.code ?? refused
  const amount = discount && takesOff(discount, formatMoney)
  const [only] = discount?.product_id ? lowered : []
  const works = only ? buyingTexts.codeWorksFor : buyingTexts.codeWorks
  const hasEffect = lowered.length > 0
  const sentence = hasEffect ? works : buyingTexts.codeFailed
  return (
    <p
      data-code-line=""
      className={`hidden h-11 items-center justify-center px-5 font-semibold coded:flex ${hasEffect ? 'bg-success/12 text-success' : 'text-soft'}`}
    >
      <span className="truncate">
        {code && fill(sentence, { code, amount: amount ?? '', product: only?.name ?? '' })}
      </span>
    </p>
  )
}
