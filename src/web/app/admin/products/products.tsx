// The screen that lists products, and has the file of the excerpt.
import type { ReactNode } from 'react'
import { NameLink } from '../links.tsx'
import { BookOpen } from '../../../components/icons.tsx'
import { ArrowDown, ArrowUp } from '../../../components/further-icons.tsx'
import { TriangleAlert } from '../icons.tsx'
import type { AdminProduct } from '#contract/catalog/products.ts'
import type { AdminProductsApi } from '#domains/delivery/products.routes.ts'
import { responseOf } from '../../../api.ts'
import { formatCount } from '../../../format/format.tsx'
import { Money } from '../../../format/money.tsx'
import { Badge, Note } from '../../../components/note.tsx'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { Cover, Picture } from '../../../product/cover.tsx'
import { Card, Failed } from '../../card.tsx'
import { useSaleMode } from '../../../shop.ts'
import { adminClient, load, useAdminCall } from '../calls.tsx'
import type { Route } from './+types/products.ts'
import { ExcerptCard, loadExcerpt } from './excerpt-card.tsx'
import { gapWords, offeredFormats } from './product-fields.tsx'
import { ProductSales, StockBadge } from './product-aside.tsx'

const api = adminClient<AdminProductsApi>()

export async function clientLoader() {
  const [products, excerpt] = await Promise.all([
    load('Failed to load products', () => responseOf(api.products.$get())),
    loadExcerpt(),
  ])
  return { products, excerpt }
}

export default function Products({ loaderData: { products, excerpt } }: Route.ComponentProps) {
  return (
    <div className="grid gap-5">
      <ProductList products={products} />
      {excerpt && <ExcerptCard state={excerpt} />}
    </div>
  )
}

function ProductList({ products }: { products: AdminProduct[] | undefined }) {
  const current = products?.filter(({ archived_at }) => !archived_at)
  return (
    <Card
      title="Products"
      action={
        <ButtonLink to="/admin/products/new" look="outline">
          Add a product
        </ButtonLink>
      }
    >
      {!products && <Failed title="The products could not be loaded" />}
      {current?.length === 0 && (
        <Note icon={BookOpen} title="No products yet">
          Upload an ebook, or add a book on paper.
        </Note>
      )}
      {current && current.length > 0 && (
        <ol className="divide-y divide-line">
          {current.map((product, at) => (
            <ProductRow
              key={product.id}
              product={product}
              at={at}
              products={current}
              all={products ?? current}
            />
          ))}
        </ol>
      )}
      {products && <Archive products={products.filter(({ archived_at }) => archived_at)} />}
    </Card>
  )
}

function Archive({ products }: { products: readonly AdminProduct[] }) {
  if (products.length === 0) return null
  return (
    <details className="border-t border-line">
      <summary className="cursor-pointer px-5 py-4 font-semibold">
        Archive ({formatCount(products.length)})
      </summary>
      <ul className="divide-y divide-line border-t border-line">
        {products.map((product) => (
          <li key={product.id} className="px-5 py-3 text-soft">
            <p className="flex flex-wrap items-center gap-2">
              <NameLink to={`/admin/products/${product.id}`}>{product.name}</NameLink>
              <Badge>{product.format}</Badge>
            </p>
            <p className="mt-0.5 text-sm tabular-nums">
              <Money amount={product.price} /> · <ProductSales product={product} />
            </p>
          </li>
        ))}
      </ul>
    </details>
  )
}

const moves = [
  { direction: 'up', by: -1, Icon: ArrowUp },
  { direction: 'down', by: 1, Icon: ArrowDown },
]

type ProductRowProps = {
  product: AdminProduct
  at: number
  products: readonly AdminProduct[]
  /** The archive included: a bundle may hold what is in it. */
  all: readonly AdminProduct[]
}

function ProductRow({ product, at, products, all }: ProductRowProps) {
  const [isBusy, run] = useAdminCall()
  const isFree = useSaleMode() === 'free'
  const change = (call: () => Promise<unknown>) => void run(call, { failed: 'Couldn’t save the change' })
  function move(by: number) {
    const ids = products
      .map((each) => each.id)
      .toSpliced(at, 1)
      .toSpliced(at + by, 0, product.id)
    change(() => api.products.order.$put({ json: { ids } }))
  }
  const { id, name, format, price, cover, is_for_sale, is_hidden, is_released, delivery_gap } = product
  const fileFormats = offeredFormats(product, all)
  return (
    <li
      className={`relative flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-4 hover:bg-ink/3 ${is_for_sale ? '' : 'text-soft'}`}
    >
      <Thumbnail cover={cover} />
      <div className="min-w-0 grow basis-52">
        <p className="flex flex-wrap items-center gap-2 font-semibold">
          <NameLink to={`/admin/products/${id}`} className="after:absolute after:inset-0">
            {name}
          </NameLink>
          <Badge>{format}</Badge>
          {is_hidden && <Badge>not for sale</Badge>}
          {!is_hidden && !is_released && <Badge look="highlighted">pre-order</Badge>}
          <StockBadge product={product} />
        </p>
        <p className="mt-0.5 text-sm text-soft tabular-nums">
          <Money amount={price} /> · <ProductSales product={product} />
          {isFree && price > 0 && <span>{' · free now'}</span>}
          {fileFormats.length > 0 && <span>{` · ${fileFormats.join(', ')}`}</span>}
        </p>
        {delivery_gap && <MissingHint>{gapWords(delivery_gap)}</MissingHint>}
      </div>
      <div className="relative flex items-center text-soft max-sm:ml-11">
        {moves.map(({ direction, by, Icon }) => (
          <Button
            key={direction}
            look="quiet"
            className="px-3"
            aria-label={`Move ${name} ${direction}`}
            disabled={isBusy || !products[at + by]}
            onClick={() => move(by)}
          >
            <Icon aria-hidden className="size-4.5" />
          </Button>
        ))}
        <Button
          look="quiet"
          className="px-3"
          disabled={isBusy}
          aria-label={`${is_hidden ? 'Show' : 'Hide'} ${name}`}
          onClick={() =>
            change(() => api.products[':id'].$patch({ param: { id }, json: { is_for_sale: is_hidden } }))
          }
        >
          {is_hidden ? 'Show' : 'Hide'}
        </Button>
      </div>
    </li>
  )
}

/** Its own picture, or else the book's cover. */
function Thumbnail({ cover }: Pick<AdminProduct, 'cover'>) {
  const look = 'size-full object-cover'
  return (
    <div
      aria-hidden
      className="aspect-11/17 w-10 shrink-0 overflow-hidden rounded-sm shadow-sm outline outline-cover-edge"
    >
      {cover ? (
        <Picture picture={cover} alt="" sizes="2.5rem" loading="lazy" className={look} />
      ) : (
        <Cover sizes="2.5rem" loading="lazy" className={look} />
      )}
    </div>
  )
}

function MissingHint({ children }: { children: ReactNode }) {
  return (
    <p className="mt-0.5 flex gap-1.5 text-sm font-semibold text-gold-text">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      {children}
    </p>
  )
}
