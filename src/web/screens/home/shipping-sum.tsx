import { buyingTexts } from '#words/buying.ts'
import { shippingLabel } from '#contract/orders/postal.ts'
import { shippingPrice } from '#contract/orders/prices.ts'
import type { ShippingTerms } from '#contract/orders/shipments.ts'
import { fromCents, toCents } from '#contract/money.ts'
import { useFormatMoney } from '../../money.tsx'

type ShippingSumProps = {
  price: number
  terms: ShippingTerms
  country: string | undefined
}

export function ShippingSum({ price, terms, country }: ShippingSumProps) {
  const shipping = country === undefined ? undefined : shippingPrice(terms, country)
  const format = useFormatMoney()
  const inWords = (amount: number | undefined) => (amount === undefined ? '–' : format(amount))
  const total = shipping === undefined ? undefined : fromCents(toCents(price) + toCents(shipping))
  return (
    <div role="status">
      <dl className="rounded-md bg-ink/4 px-4 py-3 tabular-nums">
        <Row name={buyingTexts.price} amount={format(price)} />
        <Row
          name={shippingLabel(country ?? null)}
          amount={shipping === 0 ? buyingTexts.free : inWords(shipping)}
        />
        <Row name={terms.has_tax ? buyingTexts.totalBeforeTax : buyingTexts.total} amount={inWords(total)} />
      </dl>
    </div>
  )
}

function Row({ name, amount }: { name: string; amount: string }) {
  return (
    <div className="flex justify-between gap-4 py-1 last:mt-1 last:border-t last:border-line last:pt-2 last:font-semibold">
      <dt className="min-w-0">{name}</dt>
      <dd className="whitespace-nowrap">{amount}</dd>
    </div>
  )
}
