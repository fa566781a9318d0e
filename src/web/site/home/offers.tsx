// The products with their buttons and the way to enter a code.
import { useEffect } from 'react'
import { homeTexts } from '#words/home.ts'
import { siteTexts } from '#words/site.ts'
import type { Product } from '#contract/catalog/products.ts'
import { Anchor, Button, Spinner } from '../../components/button.tsx'
import { BookOpen } from '../../components/icons.tsx'
import { Note } from '../../components/note.tsx'
import { FoldedNotice } from '../../product/eu-paper.tsx'
import { fillParts } from '../../format/fill-parts.tsx'
import { LegalLinks } from '../legal/legal-links.tsx'
import { useFormatMoney } from '../../format/money.tsx'
import { buyLabels, bundleSaving, savingWithCode } from '../../product/offers.ts'
import { takesCodes } from '../discount/entered-discount.ts'
import { useFindOffer } from '../discount/price-line.tsx'
import { ProductCard } from '../../product/product-card.tsx'
import { useBookFacts, useSendsMail } from '../../shop.ts'
import { toast } from '../../notices/toasts.tsx'
import { BuyButton, useIsChosen } from './buy-button.tsx'
import { DiscountPanel } from '../discount/discount-panel.tsx'
import { askForProducts, isAsking, useProducts } from './products.ts'
import { Claims } from './claims.tsx'
import { SingleOffer } from './single-offer.tsx'

/** An island: the products with their buttons. */
export function Offers() {
  const products = useProducts()
  useLeftCheckout()
  if (products === 'asking') return <AskAgain />
  return products === 'missing' ? <Missing /> : <Products products={products} />
}

function useLeftCheckout(): void {
  useEffect(() => {
    const { pathname, search, hash } = location
    if (new URLSearchParams(search).get('checkout') !== 'canceled') return
    // A reload, or a way back, does not say it again.
    history.replaceState(history.state, '', pathname + hash)
    toast(homeTexts.paymentNotFinished)
  }, [])
}

/** Fewer than four stand in the middle. */
const columns: Record<number, string> = {
  1: 'mx-auto max-w-sm',
  2: 'mx-auto max-w-3xl sm:grid-cols-2',
  3: 'mx-auto max-w-5xl sm:grid-cols-2 lg:grid-cols-3 sm:max-lg:[&>:last-child]:translate-x-[calc(50%+0.625rem)]',
}

function Products({ products }: { products: Product[] }) {
  const formatMoney = useFormatMoney()
  const { is_sample } = useBookFacts()
  const sendsMail = useSendsMail()
  const [first] = products
  if (!first) return <NothingForSale />
  const labels = buyLabels(products, formatMoney)
  return (
    <>
      {products.length === 1 && !is_sample ? (
        <SingleOffer product={first} label={labels.get(first.id)} />
      ) : (
        <ul className={`grid gap-x-5 ${columns[products.length] ?? 'offers sm:grid-cols-2 xl:grid-cols-4'}`}>
          {products.map((product) => (
            <Offer key={product.id} product={product} label={labels.get(product.id)} products={products} />
          ))}
        </ul>
      )}
      {takesCodes(products) && <DiscountPanel products={products} />}
      {!is_sample && sendsMail && products.some(isGivable) && (
        <p className="mx-auto mt-6 max-w-xl text-center text-sm text-pretty text-soft">{homeTexts.asGift}</p>
      )}
      <Claims products={products} />
      <FoldedNotice products={products} />
      <LegalLinks className="mt-6 text-center text-sm text-soft" />
    </>
  )
}

const isGivable = ({ is_digital, ships, price, is_available_soon }: Product) =>
  is_digital && !ships && price > 0 && !is_available_soon

function NothingForSale() {
  return (
    <Note icon={BookOpen} title={homeTexts.notForSale}>
      <p>
        {fillParts(homeTexts.willBeBack, {
          contact: (
            <Anchor to="contact" className="text-ink underline underline-offset-4">
              {homeTexts.writeToAuthor}
            </Anchor>
          ),
        })}
      </p>
    </Note>
  )
}

function Loading() {
  useEffect(() => {
    const { scrollY: before } = window
    // Products that arrive late move what is below: a visitor who was led there, and has not scrolled since, is led
    // there again.
    return () => {
      if (scrollY === before) document.getElementById(location.hash.slice(1))?.scrollIntoView()
    }
  }, [])
  return (
    <p role="status" className="flex min-h-96 items-center justify-center gap-3 text-soft">
      <Spinner />
      {homeTexts.loadingProducts}
    </p>
  )
}

/** The page was made without them, or what it offers is outdated. */
function AskAgain() {
  useEffect(() => {
    if (!isAsking()) void askForProducts()
  }, [])
  return <Loading />
}

function Missing() {
  return (
    <div className="flex min-h-96 flex-col items-center justify-center gap-4 text-center">
      <p className="text-soft">{homeTexts.productsMissing}</p>
      <Button look="outline" onClick={() => void askForProducts()}>
        {siteTexts.tryAgain}
      </Button>
    </div>
  )
}

type OfferProps = {
  product: Product
  label: string | undefined
  products: readonly Product[]
}

function Offer({ product, label, products }: OfferProps) {
  const isChosen = useIsChosen(product.id)
  const findOffer = useFindOffer()
  const { price, code } = findOffer(product)
  return (
    <ProductCard
      product={product}
      price={price}
      saving={savingWithCode(product, products, findOffer)}
      isBestValue={bundleSaving(product, products) !== undefined}
      isChosen={isChosen}
      isNarrow={products.length > 3}
    >
      <BuyButton
        product={product}
        label={label ?? homeTexts.buy}
        look={product.format === 'bundle' ? 'primary' : 'outline'}
        isChosen={isChosen}
        code={code}
        price={price}
      />
    </ProductCard>
  )
}
