// The facts for buyers of a book on paper that is sent into the European Union: who has made it, and the notice on their legal
// guarantee. The Commission's picture is shown as it is: in color, whole, and no smaller than it can be read.
import { cardsTexts, formatsTexts } from '#words/buying.ts'
import { homeTexts } from '#words/home.ts'
import { fill } from '#words/texts.ts'
import { noticeUrl, type EuPaper } from '#contract/orders/eu-paper.ts'
import type { Product } from '#contract/catalog/products.ts'
import { deliveryTime } from '#contract/orders/parcel-words.ts'
import { useDeliveryDays, useEuPaper } from '../shop.ts'

type PaperProps = { product: Product }

export function useMakerLines(product: Product): string[] {
  const paper = useEuPaper()
  return product.ships && paper ? makerLines(product, paper) : []
}

function makerLines({ format, holds }: Product, { maker, eu_person, isbns }: EuPaper): string[] {
  const isbnOf = (each: Product['format']) =>
    isbns[each] ? [{ format: each, isbn: fill(homeTexts.isbn, { number: isbns[each] }) }] : []
  const named =
    format === 'bundle'
      ? holds
          .flatMap(isbnOf)
          .map((each) =>
            fill(cardsTexts.isbnOf, { isbn: each.isbn, format: formatsTexts.names[each.format] }),
          )
      : isbnOf(format).map(({ isbn }) => isbn)
  return [
    maker && fill(cardsTexts.maker, { maker }),
    eu_person && fill(cardsTexts.euPerson, { person: eu_person }),
    named.join(', '),
  ].filter(Boolean)
}

/** Stands in a dialog, before the button: how long it takes, and what the law asks for. */
export function PaperFacts({ product }: PaperProps) {
  const days = useDeliveryDays()
  const lines = [...(product.ships && days ? [deliveryTime(product, days)] : []), ...useMakerLines(product)]
  return (
    <>
      {lines.length > 0 && (
        <ul className="space-y-1 text-sm wrap-anywhere text-soft">
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      <GuaranteeNotice product={product} width="w-[280px]" />
    </>
  )
}

type NoticeProps = PaperProps & {
  className?: string
  /** A dialog shows it as small as it may be, so that the button is near. */
  width?: 'w-[280px]' | 'max-w-105'
  loading?: 'lazy'
}

/** Wider than what holds it where that is narrower than 280 pixels, and then in its middle. */
export function GuaranteeNotice({ product, className = '', width = 'max-w-105', loading }: NoticeProps) {
  const notice = useEuPaper()?.notice
  if (!product.ships || !notice) return null
  const url = noticeUrl(notice)
  return (
    <figure className={`mx-[min(0px,(100%-280px)/2)] min-w-[280px] ${width} ${className}`}>
      <img
        src={url}
        alt={cardsTexts.notice}
        width={notice.width}
        height={notice.height}
        loading={loading}
        className="h-auto w-full bg-white outline outline-line"
      />
      <figcaption className="mt-2 text-sm">
        <a
          href={url}
          target="_blank"
          rel="noopener"
          className="inline-block rounded-sm py-1 underline underline-offset-4"
        >
          {cardsTexts.noticeLarge}
        </a>
      </figcaption>
    </figure>
  )
}

/** Beneath the cards, for those whom no dialog asks anything. */
export function FoldedNotice({ products }: { products: readonly Product[] }) {
  const notice = useEuPaper()?.notice
  const product = products.find(({ ships }) => ships)
  if (!product || !notice) return null
  return (
    <details className="mt-6">
      <summary className="cursor-pointer rounded-sm py-1 text-center text-sm text-soft underline underline-offset-4 hover:text-ink">
        {cardsTexts.notice}
      </summary>
      <div className="mx-auto mt-3 max-w-105">
        <GuaranteeNotice product={product} loading="lazy" />
      </div>
    </details>
  )
}
