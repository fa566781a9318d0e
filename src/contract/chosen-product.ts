// The address of a chosen product: its id travels through the sign-in and the link in a mail; name and price always come
// from the shop.

export function chosenPath(product_id: string, code?: string): string {
  const withCode = code ? `&code=${encodeURIComponent(code)}` : ''
  return `/?product=${encodeURIComponent(product_id)}${withCode}#book-sales`
}

export const chosenIn = (path: string): string | undefined => valueIn(path, 'product')

export const codeIn = (path: string): string | undefined => valueIn(path, 'code')

function valueIn(path: string, name: string): string | undefined {
  const here = 'https://shop.invalid'
  if (!URL.canParse(path, here)) return undefined
  return new URL(path, here).searchParams.get(name) ?? undefined
}
