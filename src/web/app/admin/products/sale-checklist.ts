import type { AdminProduct, DeliveryGap } from '#contract/catalog/admin-products.ts'
import type { Format } from '#contract/catalog/products.ts'

export type ProductDraft = Pick<AdminProduct, 'name' | 'description' | 'contents' | 'price' | 'format'>

/** `NaN` is no price; 0 is one. */
export const emptyDraft: ProductDraft = {
  name: '',
  description: '',
  contents: [],
  price: NaN,
  format: 'paperback',
}

type Step = {
  label: string
  hint?: string
  isDone: boolean
  isOptional?: boolean
}

export function saleChecklist(draft: ProductDraft, product: AdminProduct | undefined): Step[] {
  const steps: Step[] = [
    { label: 'A name', isDone: draft.name.trim() !== '' },
    priceStep(draft.price),
    deliverySteps[draft.format](product),
    {
      label: 'A description',
      isDone: draft.description.trim() !== '',
      isOptional: true,
      hint: 'Buyers read it on the card.',
    },
  ]
  return steps
}

export function missingSteps(steps: readonly Step[]): number {
  return steps.filter(({ isDone, isOptional }) => !isDone && !isOptional).length
}

function priceStep(price: number): Step {
  const isDone = Number.isFinite(price) && price >= 0
  return { label: 'A price', isDone, ...(price === 0 && { hint: 'It is free.' }) }
}

const onPaper = (): Step => ({
  label: 'A book on paper',
  isDone: true,
  hint: 'It goes by post and needs no file.',
})

const deliverySteps: Record<Format, (product: AdminProduct | undefined) => Step> = {
  digital(product) {
    const isDone = product !== undefined && product.editions.length > 0
    const hint = product ? 'Upload it under “Editions”.' : 'You upload it once the product is added.'
    const isWaiting = product?.is_released === false
    const hintOfDay = isWaiting ? 'Needed on the day of the release.' : hint
    return { label: 'A file', isDone, isOptional: isWaiting, ...(!isDone && { hint: hintOfDay }) }
  },
  paperback: onPaper,
  hardcover: onPaper,
  bundle(product) {
    const isDone = product?.format === 'bundle' && product.delivery_gap === null
    const hints = {
      part_without_file: 'One of its products has no file yet.',
      none:
        product?.format === 'bundle'
          ? 'Tick them under “In this bundle”.'
          : 'You choose them once it is saved.',
    }
    const hint = product?.delivery_gap === 'part_without_file' ? hints.part_without_file : hints.none
    return { label: 'Products in it', isDone, ...(!isDone && { hint }) }
  },
}

export const gapWords: Record<DeliveryGap, string> = {
  no_file: 'Not for sale: it has no file yet',
  part_without_file: 'Not for sale: a part of it has no file yet',
  lost_file: 'Not for sale: a file was lost in a restore; upload it again',
  empty_bundle: 'Not for sale: it holds nothing yet',
}
