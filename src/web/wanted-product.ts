// The product that a visitor wanted to buy before signing in. Its id travels in the address, through the sign-in and
// through the link in a mail; its name and price always come from the shop.

/** Where the sign-in leads back to: the home page marks that product, and enters the discount code. */
export function wantedPath(product_id: string, code?: string): string {
  const withCode = code ? `&code=${encodeURIComponent(code)}` : ''
  return `/?product=${encodeURIComponent(product_id)}${withCode}#book-sales`
}

/** The product that such a path names; undefined for any other path. */
export function wantedIn(path: string): string | undefined {
  const here = 'https://shop.invalid'
  if (!URL.canParse(path, here)) return undefined
  return new URL(path, here).searchParams.get('product') ?? undefined
}
