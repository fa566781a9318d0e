// The formats and prices of the setup while they are typed.
import type { Offers } from '#contract/operations/book-setup.ts'
import { formats, isOnPaper, type Format } from '#contract/catalog/products.ts'
import type { FieldProblems } from '#contract/field-problems.ts'
import { toDecimal } from '../../../format.ts'
import { readTypedAmount } from '../typed-amount.ts'

/** What is typed, by format; a format that is not there is not sold. */
export type Typed = Partial<Record<Format, string>>

export function typedOf(offers: Offers, hasFile: boolean, currency: string): Typed {
  if (offers.length === 0) return hasFile ? { digital: '' } : {}
  return Object.fromEntries(offers.map(({ format, price }) => [format, toDecimal(price, currency)]))
}

export function withPrice(typed: Typed, format: Format, price: string | undefined): Typed {
  const { [format]: _, ...others } = typed
  return price === undefined ? others : { ...others, [format]: price }
}

export function withoutEmpty(typed: Typed): Typed {
  return Object.fromEntries(Object.entries(typed).filter(([, price]) => price.trim() !== ''))
}

export function onPaper(typed: Typed): Format[] {
  return formats.filter((format) => isOnPaper(format) && typed[format] !== undefined)
}

/** `NaN` where nothing is entered, or nothing that is understood: an empty price is not free. */
export const typedPrice = (price: string, currency: string) =>
  readTypedAmount(price, currency)?.amount ?? Number.NaN

export function offersOf(typed: Typed, currency: string): Offers {
  return formats.flatMap((format) => {
    const price = typed[format]
    return price === undefined ? [] : [{ format, price: typedPrice(price, currency) }]
  })
}

/** By format, `offers` for all of them, and the fields of shipping as they are named. */
export function problemsOf(wrong: FieldProblems, chosen: Offers): FieldProblems {
  return Object.fromEntries(
    Object.entries(wrong).map(([path, says]) => {
      const [group, name = ''] = path.split('.')
      if (group === 'shipping') return [name, says]
      const offer = group === 'offers' ? chosen[Number(name)] : undefined
      if (!offer) return ['offers', says]
      return [offer.format, Number.isNaN(offer.price) ? 'Please enter a price.' : says]
    }),
  )
}
