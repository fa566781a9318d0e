// The name of a product beside the title of its book.
import { formatsTexts } from '#words/buying.ts'
import type { Product } from './products.ts'

/** The setup calls products so: their format need not stand beside the name. */
export function namesFormat({ name, format }: Pick<Product, 'name' | 'format'>): boolean {
  return name.endsWith(`(${formatsTexts.names[format]})`)
}

/** Stands where the format is printed beside it. */
export function nameWithoutFormat(product: Pick<Product, 'name' | 'format'>): string {
  const { name, format } = product
  return namesFormat(product) ? name.slice(0, -`(${formatsTexts.names[format]})`.length).trimEnd() : name
}

/** Empty where a product is called as the book, as those of the setup are: the page has its title already. */
export function ownName({ name, format }: Pick<Product, 'name' | 'format'>, title: string): string {
  const ofFormat = `${title} (${formatsTexts.names[format]})`
  return [title, ofFormat].includes(name) ? '' : name
}

/** It is sold beside the book: no format, edition or bundle of it, whose names begin with the title. */
export function isOtherTitle({ name, format }: Pick<Product, 'name' | 'format'>, title: string): boolean {
  return format !== 'bundle' && !name.trim().toLowerCase().startsWith(title.toLowerCase())
}

/** Without other titles. Where no product's name begins with the book's, all count as the book. */
export function productsOfBook<Named extends Pick<Product, 'name' | 'format'>>(
  products: readonly Named[],
  title: string,
): readonly Named[] {
  const named = products.filter((each) => !isOtherTitle(each, title))
  return named.some(({ format }) => format !== 'bundle') ? named : products
}
