// A product by itself, with the form that buys it: where a press leads that no script took, and what other sites link to.
// Opening it buys nothing.
import type { Product } from '#contract/catalog/products.ts'
import { use } from 'react'
import { buyingTexts, formatsTexts } from '#words/buying.ts'
import { fill } from '#words/texts.ts'
import { guestTexts } from '#words/guest.ts'
import { homeTexts } from '#words/home.ts'
import { refusalsTexts } from '#words/refusals.ts'
import { isLowered } from '#contract/orders/prices.ts'
import { buyPath, buyPattern } from '#contract/paths.ts'
import { Button, ButtonLink, Link } from '../../components/button.tsx'
import { Container } from '../../components/section.tsx'
import { Field } from '../../components/field.tsx'
import { fillParts } from '../../format/fill-parts.tsx'
import { LegalLinks } from '../legal/legal-links.tsx'
import { GuaranteeNotice } from '../../product/eu-paper.tsx'
import { useFormatMoney } from '../../format/money.tsx'
import { isOffered, savingWithCode } from '../../product/offers.ts'
import { pageMeta } from '../../page/page-meta.ts'
import { FoldedMaker, ProductLines, ProductPrice, SavingBadge } from '../../product/product-card.tsx'
import { ProductPicture } from '../../product/product-picture.tsx'
import { useCurrency } from '../../shop.ts'
import { announcedOff, offerWith } from '../discount/price-line.tsx'
import { SiteFooter, SiteHeader } from '../../page/site-frame.tsx'
import { ProductsContext } from '../page-data.tsx'
import { BuyForm } from './buy-form.tsx'
import { FormAnswerContext } from '../../forms/form.ts'
import { Island, PageScript } from '../../page/island.tsx'
import { NotFound, notFoundTags } from '../not-found/not-found.tsx'
import type { Buying } from '#pages/page-answer.ts'
import type { SitePage } from '../site-page.ts'

export const buyPage: SitePage = {
  path: buyPattern,
  status: ({ shown }) => (shown.buying ? 200 : 404),
  tags: (content) => {
    const { buying } = content.shown
    if (!buying) return notFoundTags(content)
    const { product } = buying
    const { data, book } = content
    return [
      ...pageMeta({ ...data.shop, book, path: buyPath(product.id), title: product.name }),
      { name: 'robots', content: 'noindex' },
    ]
  },
  Page: ({ shown: { buying } }) => (buying ? <BuyPage {...buying} /> : <NotFound />),
}

function BuyPage({ product, code, terms, orderKey }: Buying) {
  const currency = useCurrency()
  const { discount } = code ?? {}
  const offerOf = (each: Product) => offerWith(each, discount, currency)
  const offer = offerOf(product)
  const { price } = offer
  const saving = savingWithCode(product, use(ProductsContext) ?? [], offerOf)
  return (
    <>
      <SiteHeader />
      <main id="main" tabIndex={-1} className="py-10 sm:py-16">
        <Container>
          <article className="mx-auto grid max-w-5xl items-start gap-x-16 gap-y-8 md:grid-cols-[1fr_1.15fr]">
            <div className="min-w-0">
              <div className="offer-stage">
                <ProductPicture {...product} />
              </div>
              <GuaranteeNotice product={product} className="mt-8 max-md:hidden" />
            </div>
            <div className="min-w-0">
              <div className="mb-2 flex flex-wrap items-center gap-x-4">
                <p className="text-sm font-semibold text-gold-text">{formatsTexts.names[product.format]}</p>
                {saving && <SavingBadge {...saving} />}
              </div>
              <h1 className="font-display text-3xl text-balance wrap-anywhere">{product.name}</h1>
              <ProductPrice {...{ product, price, saving }} />
              <Code {...{ product, code }} />
              <ProductLines product={product} />
              <GuaranteeNotice product={product} className="mb-7 md:hidden" />
              <Island
                name="buy"
                part="form"
                Part={BuyForm}
                props={{
                  product,
                  price,
                  orderKey,
                  ...(offer.code !== undefined && { code: offer.code }),
                  ...(terms && { terms }),
                }}
              />
              <FoldedMaker product={product} className="mt-4" />
              <LegalLinks opensTab className="mt-6 text-sm text-soft" />
              <p className="mt-6">
                <ButtonLink to="/#book-sales" look="outline">
                  {guestTexts.backToBook}
                </ButtonLink>
              </p>
            </div>
          </article>
        </Container>
      </main>
      <SiteFooter />
    </>
  )
}

function Code({ product, code }: Pick<Buying, 'product' | 'code'>) {
  const currency = useCurrency()
  const formatMoney = useFormatMoney()
  const isPosted = use(FormAnswerContext) !== undefined
  if (product.price === 0 || !isOffered(product)) return null
  const { entered, discount, problem } = code ?? {}
  if (discount && isLowered(product, discount, currency)) {
    const shown = <strong>{discount.code}</strong>
    const amount = announcedOff([product], discount, { currency, formatMoney })
    return (
      <p role="status" className="mb-5 flex flex-wrap gap-x-4">
        <span>
          {amount
            ? fillParts(buyingTexts.codeTakes, { code: shown, amount })
            : fillParts(buyingTexts.codeApplied, { code: shown })}
        </span>
        <Link to={buyPath(product.id)} data-drops-code="" className="rounded-sm underline underline-offset-4">
          {buyingTexts.removeCode}
        </Link>
        <PageScript name="kept-code" />
      </p>
    )
  }
  return (
    <details
      className="mb-5"
      open={entered !== undefined}
      data-takes-code={code || isPosted ? undefined : ''}
    >
      <summary className="cursor-pointer rounded-sm py-1 text-soft">{homeTexts.haveCode}</summary>
      <form method="get" action={buyPath(product.id)} className="mt-3 grid max-w-sm gap-3">
        <Field
          label={buyingTexts.discountCode}
          name="code"
          defaultValue={entered}
          maxLength={40}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          problem={discount ? wrongProduct(product, discount) : problem}
        />
        <p>
          <Button type="submit" look="outline">
            {buyingTexts.apply}
          </Button>
        </p>
      </form>
      <PageScript name="kept-code" />
    </details>
  )
}

type Discount = NonNullable<NonNullable<Buying['code']>['discount']>

function wrongProduct({ id }: Buying['product'], { code, product_id }: Discount): string {
  const isOfOther = product_id !== null && product_id !== id
  return isOfOther ? refusalsTexts['discounts.other_product'] : fill(buyingTexts.codeChangesNothing, { code })
}
