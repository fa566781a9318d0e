// The question before a product is saved: only where the change reaches people who are paying, or have ordered.
import { useState } from 'react'
import type { AdminProduct } from '#contract/catalog/products.ts'
import type { OldPricesApi } from '#domains/payments/old-prices.routes.ts'
import { responseOf } from '../../../api.ts'
import { Confirm } from '../../../components/dialog.tsx'
import type { FormResult } from '../../../forms/form.ts'
import { formatCount } from '../../../format/format.tsx'
import { useFormatMoney } from '../../../format/money.tsx'
import { useSaleMode } from '../../../shop.ts'
import { adminClient, showFailure } from '../calls.tsx'
import type { ProductDraft } from './product-fields.tsx'

const api = adminClient<OldPricesApi>()

type Change = Partial<ProductDraft>

type Question = { change: Change; paragraphs: string[] }

export function useSaveQuestion(product: AdminProduct) {
  const [question, setQuestion] = useState<Question>()
  const formatMoney = useFormatMoney()
  const isPaid = useSaleMode() === 'paid'

  /** False where nothing is to be asked; a result where that could not be found out. */
  async function ask(change: Change): Promise<FormResult | undefined | false> {
    try {
      const { price } = change
      const open = price !== undefined && isPaid ? await countOpen(product.id, price) : 0
      const paragraphs = [
        open > 0 && price !== undefined && aboutPrice(open, formatMoney(price)),
        change.release_on !== undefined && aboutRelease(product, change.release_on),
      ].filter((each) => each !== false)
      if (paragraphs.length === 0) return false
      setQuestion({ change, paragraphs })
      return undefined
    } catch (error) {
      return showFailure('Couldn’t save', error)
    }
  }
  return { question, ask, answered: () => setQuestion(undefined) }
}

async function countOpen(id: string, price: number): Promise<number> {
  const query = { price: String(price) }
  const call = api.products[':id']['open-checkouts'].$get({ param: { id }, query })
  return (await responseOf(call)).count
}

function aboutPrice(open: number, price: string): string {
  const who = open === 1 ? '1 person has' : `${formatCount(open)} people have`
  return `${who} begun to pay the old price; their payment page closes, and nothing more is charged there. Anyone who buys again pays ${price}. A payment that is made at this very moment stays valid.`
}

export function aboutRelease(product: AdminProduct, day: string | null): string | false {
  const { preorders, awaited_by, is_owned, release_gap } = product
  if (day !== null)
    return (
      preorders > 0 &&
      `An email goes to ${readers(preorders)}, with the new day and the way to take the order back.`
    )
  const told = preorders + awaited_by
  if (told === 0) return false
  const out = release_gap
    ? `It is not sold until nothing is missing, and then an email goes to ${readers(told)}.`
    : `It is out at once, and an email goes to ${readers(told)}.`
  return is_owned ? `${out} It cannot become a pre-order again.` : out
}

const readers = (count: number) => (count === 1 ? 'one reader' : `${formatCount(count)} readers`)

type SaveQuestionProps = Question & { onClose: () => void; onConfirm: () => void }

export function SaveQuestion({ paragraphs, onClose, onConfirm }: SaveQuestionProps) {
  return (
    <Confirm title="Save the product?" action="Save" onClose={onClose} onConfirm={onConfirm}>
      {paragraphs.map((paragraph) => (
        <p key={paragraph} className="not-first:mt-3">
          {paragraph}
        </p>
      ))}
    </Confirm>
  )
}
