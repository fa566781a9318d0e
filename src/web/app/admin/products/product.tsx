// The screen of one product.
import { type ReactNode, useState } from 'react'
import { TriangleAlert } from '../icons.tsx'
import type { AdminProduct } from '#contract/catalog/products.ts'
import type { AdminProductsApi } from '#domains/delivery/products.routes.ts'
import { responseOf } from '../../../api.ts'
import { Card, Failed } from '../../card.tsx'
import { PictureDrop } from '../../file-drop.tsx'
import { useSendFile } from '../../send-file.ts'
import { adminClient, load, CallButton, useAdminCall, AdminForm } from '../calls.tsx'
import { Money } from '../../../format/money.tsx'
import { addCents, fromCents, toCents } from '#contract/money.ts'
import { Button } from '../../../components/button.tsx'
import { useNavigate } from 'react-router'
import type { Neighbors } from '#contract/fields.ts'
import { asEntered, useForm } from '../../../forms/form.ts'
import type { Toast } from '../../../notices/toasts.tsx'
import { NeighborLinks } from '../links.tsx'
import type { Route } from './+types/product.ts'
import {
  gapWords,
  type ProductDraft,
  checkChanges,
  draftOf,
  ProductFields,
  readProductFields,
} from './product-fields.tsx'
import { Editions } from './editions.tsx'
import { SaveQuestion, useSaveQuestion } from './save-question.tsx'
import { ProductAside, ProductSales, StockCard } from './product-aside.tsx'

const api = adminClient<AdminProductsApi>()

/** The warning stands below the title of a card. */
function CardWarning({ children }: { children: ReactNode }) {
  return (
    <p role="note" className="flex gap-3 border-b border-line bg-gold/10 px-5 py-3 text-sm text-pretty">
      <TriangleAlert aria-hidden className="mt-px size-5 shrink-0 text-gold-text" />
      <span>{children}</span>
    </p>
  )
}

function Cover({ product: { id, name, cover, is_for_sale } }: { product: AdminProduct }) {
  const { sending, send, cancel } = useSendFile()
  const [isBusy, run] = useAdminCall()
  const param = { id }
  const failed = 'Couldn’t save the change'
  const description = is_for_sale
    ? 'It shows on the page from now on.'
    : 'It shows on the page once the product is for sale.'
  async function upload(file: File) {
    const upload_id = await send(file)
    return upload_id && responseOf(api.products[':id'].cover.$put({ param, json: { upload_id } }))
  }
  function save(file: File) {
    const done = (saved: unknown) => (saved ? { title: 'Cover saved', description } : undefined)
    void run(() => upload(file), { done, failed })
  }
  return (
    <Card
      title="Cover image"
      action={
        cover && (
          <CallButton
            look="quiet"
            label="Remove"
            disabled={isBusy}
            question={{ title: 'Remove the cover?', action: 'Remove', isDanger: true }}
            call={() => api.products[':id'].cover.$delete({ param })}
            done={{
              title: 'Cover removed',
              description: 'The product is drawn around the book’s cover from now on.',
            }}
            failed={failed}
          >
            This product is then drawn around the book’s cover.
          </CallButton>
        )
      }
    >
      <div className="p-5">
        <PictureDrop
          picture={cover}
          alt={`The cover of ${name}`}
          label="Cover image"
          hint="Drop it here, or choose it: JPEG, PNG or WebP, 20 MB at most"
          onFile={save}
          sending={sending}
          onCancel={cancel}
        />
      </div>
    </Card>
  )
}

type BundlePartsProps = { bundle: AdminProduct; adminProducts: AdminProduct[] }

function BundleParts({ bundle: { id, price, parts }, adminProducts }: BundlePartsProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(parts))
  const [, run] = useAdminCall()
  const { form, isBusy } = useForm(asEntered, save, { asksBeforeLeaving: true })
  const singles = adminProducts.filter(
    ({ id: single, format, archived_at }) => format !== 'bundle' && (!archived_at || parts.includes(single)),
  )
  const prices = singles.filter(({ id: single }) => chosen.has(single)).map((each) => toCents(each.price))

  function tick(part: string) {
    const next = new Set(chosen)
    if (!next.delete(part)) next.add(part)
    setChosen(next)
  }
  async function save() {
    const json = { ids: [...chosen] }
    return run(() => responseOf(api.products[':id'].parts.$put({ param: { id }, json })), {
      done: { title: 'Bundle saved', description: 'Everybody who owns it has these parts from now on.' },
      failed: 'Couldn’t save',
    })
  }
  return (
    <Card title="In this bundle">
      <form {...form}>
        <fieldset disabled={isBusy} className="grid gap-3 p-5">
          <legend className="sr-only">Products in this bundle</legend>
          {singles.map((single) => (
            <label key={single.id} className="flex items-center gap-3">
              <input
                type="checkbox"
                checked={chosen.has(single.id)}
                onChange={() => tick(single.id)}
                className="tick"
              />
              <span className="min-w-0 flex-1 wrap-anywhere">{single.name}</span>
              <span className="text-soft tabular-nums">
                <Money amount={single.price} />
              </span>
            </label>
          ))}
          <p className="mt-2 text-sm text-soft tabular-nums">
            One by one <Money amount={fromCents(addCents(prices))} />, as a bundle <Money amount={price} />.
          </p>
          <p>
            <Button type="submit">{isBusy ? 'Saving...' : 'Save the bundle'}</Button>
          </p>
        </fieldset>
      </form>
    </Card>
  )
}

function ProductActions({ product: { id, name, archived_at } }: { product: AdminProduct }) {
  const navigate = useNavigate()
  const product = api.products[':id']
  const param = { id }
  async function copy() {
    const copied = await responseOf(product.copies.$post({ param }))
    await navigate(`/admin/products/${copied.id}`)
  }
  return (
    <Card title="This product" contentClass="grid gap-4 p-5">
      <p className="text-sm text-pretty text-soft">
        A copy begins with the same words, price and parts, and is sold for itself. The archive takes a
        product out of your way; those who bought it keep it.
      </p>
      <p className="flex flex-wrap gap-3">
        <CallButton label="Duplicate" call={copy} done={duplicated} failed="Couldn’t duplicate" />
        {archived_at ? (
          <CallButton
            label="Restore from the archive"
            call={() => product.archived.$put({ param, json: { is_archived: false } })}
            done={restored}
            failed="Couldn’t save the change"
          />
        ) : (
          <CallButton
            label="Archive"
            question={{ title: `Archive ${name}?`, action: 'Archive' }}
            call={() => product.archived.$put({ param, json: { is_archived: true } })}
            done={archived}
            failed="Couldn’t save the change"
          >
            It leaves the page at once. Those who bought it keep it, and you can bring it back.
          </CallButton>
        )}
      </p>
    </Card>
  )
}

const duplicated = {
  title: 'Product duplicated',
  description: 'It is not for sale yet, and has neither a file nor a cover.',
}
const archived = { title: 'Archived', description: 'It is off the page. You can find it below the products.' }
const restored = { title: 'Restored', description: 'It is not for sale until you choose it.' }

export function clientLoader({ params }: Route.ClientLoaderArgs) {
  return load('Failed to load products', async () => {
    const [product, adminProducts] = await Promise.all([
      responseOf(api.products[':id'].$get({ param: params })),
      responseOf(api.products.$get()),
    ])
    return { product, adminProducts }
  })
}

function productSaved(saved: AdminProduct | undefined): Toast {
  const shown = saved?.is_for_sale ? 'It shows on the page from now on. ' : ''
  return { title: 'Product saved', description: `${shown}Prices already paid stay.` }
}

export default function ProductPage({ loaderData }: Route.ComponentProps) {
  const [draft, setDraft] = useState<ProductDraft>()
  if (!loaderData) return <Failed title="The product could not be loaded" />
  const { product, adminProducts } = loaderData
  const { format } = product
  return (
    <div className="grid gap-5">
      <NeighborLinks
        label="Products"
        path="/admin/products"
        neighbors={neighborsIn(adminProducts, product.id)}
        words={{ newer: 'Previous', older: 'Next' }}
      />
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_23rem]">
        <ProductForm product={product} onDraft={setDraft} />
        <ProductAside draft={draft ?? draftOf(product)} product={product} adminProducts={adminProducts} />
        <div className="grid gap-6 lg:col-start-1">
          {format === 'bundle' && (
            <BundleParts key={product.parts.join()} bundle={product} adminProducts={adminProducts} />
          )}
          {(format === 'paperback' || format === 'hardcover') && <StockCard product={product} />}
          <Cover product={product} />
          <Editions product={product} />
          <ProductActions product={product} />
        </div>
      </div>
    </div>
  )
}

/** None for an archived one: the list shows those apart. */
function neighborsIn(adminProducts: readonly AdminProduct[], id: string): Neighbors | undefined {
  const listed = adminProducts.filter(({ archived_at }) => !archived_at)
  const at = listed.findIndex((each) => each.id === id)
  if (at === -1) return undefined
  return { newer: listed[at - 1]?.id ?? null, older: listed[at + 1]?.id ?? null }
}

type ProductFormProps = {
  product: AdminProduct
  onDraft: (draft: ProductDraft | undefined) => void
}

function ProductForm({ product, onDraft }: ProductFormProps) {
  const [, run] = useAdminCall()
  const { question, ask, answered } = useSaveQuestion(product)
  const state = useForm((form) => checkChanges(product, form), askAndSave, { asksBeforeLeaving: true })
  /** The question leads to the next step. */
  async function askAndSave(json: Partial<ProductDraft>) {
    const result = await ask(json)
    return result === false ? save(json) : result
  }
  async function save(json: Partial<ProductDraft>) {
    const param = { id: product.id }
    const call = async () =>
      Object.keys(json).length > 0 ? responseOf(api.products[':id'].$patch({ param, json })) : undefined
    const result = await run(call, { done: productSaved, failed: 'Couldn’t save' })
    if (result.isSaved) onDraft(undefined)
    return result
  }
  const { name, is_digital, delivery_gap } = product
  return (
    <Card
      title={name}
      action={
        <span className="text-sm text-soft tabular-nums">
          <ProductSales product={product} />
        </span>
      }
    >
      {delivery_gap && (
        <CardWarning>
          <span className="font-semibold">{gapWords(delivery_gap)}</span>
        </CardWarning>
      )}
      <AdminForm
        state={state}
        key={JSON.stringify([draftOf(product), is_digital])}
        button="Save"
        busyButton="Saving..."
        onInput={({ currentTarget }) => {
          state.markChanged()
          onDraft(readProductFields(new FormData(currentTarget), product))
        }}
      >
        <ProductFields product={product} problems={state.problems} />
      </AdminForm>
      {question && (
        <SaveQuestion
          {...question}
          onClose={answered}
          onConfirm={() => {
            answered()
            void state.run(() => save(question.change))
          }}
        />
      )}
    </Card>
  )
}
