// The field that says whether a product is for sale: now, as a pre-order until its day, or not yet.
import { useId, useState } from 'react'
import { isSelling, type AdminProduct } from '#contract/catalog/products.ts'
import { Field } from '../../../components/field.tsx'
import { formatCalendarDay, formatCount } from '../../../format/format.tsx'
import { readText } from '../../../forms/form.ts'
import { useSaleMode } from '../../../shop.ts'

export type SaleDraft = Pick<AdminProduct, 'is_for_sale' | 'release_on'>

type SaleState = 'now' | 'preorder' | 'not_yet'

/** As the author has chosen it: a product without its file may be for sale all the same. A day that has come is none. */
export function saleOf({ is_hidden, is_released, release_on }: AdminProduct): SaleDraft {
  return { is_for_sale: !is_hidden, release_on: is_released ? null : release_on }
}

function stateOf({ is_for_sale, release_on }: SaleDraft): SaleState {
  if (!is_for_sale) return 'not_yet'
  return release_on === null ? 'now' : 'preorder'
}

/** What is hidden keeps its day: whoever has ordered it waits for that. */
export function readSaleFields(form: FormData, product: AdminProduct | undefined): SaleDraft {
  const state = readText(form, 'sale')
  const before = product ? saleOf(product).release_on : null
  if (state === 'now') return { is_for_sale: true, release_on: null }
  if (state === 'preorder') {
    // The field of the day is not there yet when the choice is made.
    const release_on = form.has('release_on') ? readText(form, 'release_on') : (before ?? '')
    return { is_for_sale: true, release_on }
  }
  return { is_for_sale: false, release_on: before }
}

type Choice = { value: SaleState; label: string; hint: string }

type SaleFieldsProps = {
  product: AdminProduct | undefined
  /** The choice of a product that is not there yet. */
  first: 'now' | 'not_yet'
  problem: string | undefined
}

export function SaleFields({ product, first, problem }: SaleFieldsProps) {
  const id = useId()
  const [state, setState] = useState<SaleState>(product ? stateOf(saleOf(product)) : first)
  const isBuyable = isSelling(useSaleMode()) && product?.release_gap === null
  const day = product && saleOf(product).release_on
  if (product?.archived_at) return null
  const isWithdrawn = product?.is_owned === true && product.is_released
  const choices: (Choice | false)[] = [
    {
      value: 'now',
      label: 'For sale now',
      hint: isBuyable ? 'Everybody can buy it.' : 'Everybody can buy it as soon as nothing is missing.',
    },
    // Readers do not lose again what they have.
    !isWithdrawn && {
      value: 'preorder',
      label: `Pre-order: paid now, delivered on ${day ? formatCalendarDay(day) : '…'}`,
      hint: 'Before that day a buyer can take the order back, and a file may still be missing.',
    },
    {
      value: 'not_yet',
      label: isWithdrawn ? 'Not for sale' : 'Not for sale yet',
      hint: isWithdrawn
        ? 'It is not on the page. Those who have it keep it.'
        : 'It is not on the page. Only you see it.',
    },
  ]
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 font-semibold">On sale</legend>
      {choices.map(
        (choice) =>
          choice && (
            <div key={choice.value}>
              <label className="flex items-center gap-3">
                <input
                  type="radio"
                  name="sale"
                  value={choice.value}
                  checked={state === choice.value}
                  onChange={() => setState(choice.value)}
                  aria-describedby={`${id}-${choice.value}`}
                  className="tick rounded-full"
                />
                {choice.label}
              </label>
              <p id={`${id}-${choice.value}`} className="mt-0.5 pl-8 text-sm text-pretty text-soft">
                {choice.hint}
              </p>
              {choice.value === 'preorder' && state === 'preorder' && (
                <div className="mt-2 grid gap-2 pl-8 sm:max-w-72">
                  <Field
                    label="Day"
                    type="date"
                    name="release_on"
                    defaultValue={day ?? ''}
                    problem={problem}
                  />
                </div>
              )}
              {choice.value === 'preorder' && product && day && <Preorders product={product} day={day} />}
            </div>
          ),
      )}
    </fieldset>
  )
}

function Preorders({ product, day }: { product: AdminProduct; day: string }) {
  const { preorders, awaited_by, delivery_gap, release_gap } = product
  return (
    <div className="mt-2 grid gap-1 pl-8 text-sm text-pretty">
      <p>
        It comes out on <strong>{formatCalendarDay(day)}</strong>, as the day begins in the shop’s time zone.{' '}
        {orderedBy(preorders)} {awaitedBy(awaited_by)}
      </p>
      {release_gap && !delivery_gap && (
        <p className="text-danger">
          A file is missing. It is sold until the day all the same, and readers get their email once the file
          is there.
        </p>
      )}
    </div>
  )
}

function orderedBy(count: number): string {
  if (count === 0) return 'Nobody has ordered it yet.'
  return count === 1 ? 'One reader has ordered it.' : `${formatCount(count)} readers have ordered it.`
}

function awaitedBy(count: number): string {
  if (count === 0) return ''
  const who = count === 1 ? 'One visitor waits' : `${formatCount(count)} visitors wait`
  return `${who} for an email on the day.`
}
