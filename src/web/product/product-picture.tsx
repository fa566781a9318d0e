// A product's own picture, or its format drawn around the book's cover.
import type { Product } from '#contract/catalog/products.ts'
import type { Format } from '#contract/catalog/formats.ts'
import { Cover, Picture } from './cover.tsx'

type ProductPictureProps = Pick<Product, 'format' | 'holds' | 'cover'> & {
  /** Beside a card's words on a phone it is small (format-picture.css). */
  isInCard?: boolean
}

export function ProductPicture({ format, holds, cover, isInCard = false }: ProductPictureProps) {
  return (
    <div aria-hidden className={`product-picture ${isInCard ? 'product-picture-in-card' : ''}`}>
      {cover ? (
        <Picture
          picture={cover}
          alt=""
          sizes="14rem"
          loading="lazy"
          className="max-h-[93%] w-auto max-w-full rounded-sm shadow-md outline outline-cover-edge"
        />
      ) : (
        <DrawnFormat format={format} holds={holds} />
      )}
    </div>
  )
}

const stack = ['hardcover', 'paperback', 'digital'] as const

function DrawnFormat({ format, holds }: { format: Format; holds: readonly Format[] }) {
  if (format !== 'bundle') return <Mockup format={format} />
  const held = stack.filter((each) => holds.length === 0 || holds.includes(each))
  return (
    <div className="mockups">
      {held.map((each) => (
        <Mockup key={each} format={each} />
      ))}
    </div>
  )
}

function Mockup({ format }: { format: Exclude<Format, 'bundle'> }) {
  return (
    <div className={`mockup mockup-${format}`}>
      <div className="mockup-cover">
        <Cover sizes="9rem" loading="lazy" />
      </div>
    </div>
  )
}
