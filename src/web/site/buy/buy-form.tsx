// An island: how a product is bought on its own page. Who is signed in buys as on the home page; others by the form, which
// is posted where no script takes it.
import type { Product } from '#contract/catalog/products.ts'
import type { ShippingTerms } from '#contract/orders/shipments.ts'
import { buyPath } from '#contract/paths.ts'
import { useFormatShortMoney } from '../../format/money.tsx'
import { isOffered, priceLabel } from '../../product/offers.ts'
import { SellerLine } from '../../product/seller-line.tsx'
import { useHasGuestCheckout, useSendsMail, useShippingRange } from '../../shop.ts'
import { BuyButton } from '../home/buy-button.tsx'
import { GuestForm, guestIntro, useGuestForm } from './guest-form.tsx'

export type BuyFormProps = {
  product: Product
  /** The price with the code. */
  price: number
  code?: string
  terms?: ShippingTerms
  /** The purchase's, made with the page. */
  orderKey: string
}

export function BuyForm(props: BuyFormProps) {
  const { product, price, code } = props
  const isForGuests = useHasGuestCheckout() && price > 0
  const formatShort = useFormatShortMoney()
  const label = priceLabel(product, price, formatShort)
  const button = (
    <BuyButton
      {...{ product, price, code, label }}
      look="primary"
      isChosen={false}
      className="min-h-13 text-lg"
    />
  )
  if (!isForGuests || !isOffered(product)) return button
  return (
    <>
      <div className="hidden signed-in:block">{button}</div>
      <div className="signed-in:hidden">
        <ByAddress {...props} />
      </div>
    </>
  )
}

function ByAddress({ product, price, code, terms, orderKey }: BuyFormProps) {
  const sendsMail = useSendsMail()
  const { max } = useShippingRange()
  const { price: shipping, country_prices } = terms ?? { price: max, country_prices: {} }
  const state = useGuestForm({ product, code, terms, action: buyPath(product.id) })
  return (
    <>
      <p className="mb-5 text-pretty text-soft">{guestIntro(product, sendsMail)}</p>
      <SellerLine {...{ product, price }} className="mb-5" />
      <GuestForm {...{ state, product, price, code, terms }}>
        {/* Kept by no browser: a page that is loaded again is another purchase. */}
        <input type="hidden" name="key" value={orderKey} readOnly autoComplete="off" />
        {/* A price that was raised since is refused. */}
        {product.ships && (
          <input
            type="hidden"
            name="shipping"
            value={JSON.stringify({ price: shipping, country_prices })}
            readOnly
          />
        )}
        {code && <input type="hidden" name="code" value={code} readOnly />}
      </GuestForm>
    </>
  )
}
