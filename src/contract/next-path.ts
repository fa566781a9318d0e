// The page that somebody was sent to sign in from.

/** `?next=`, in mailed links `?redirect_to=`; a value that leads to another site becomes `/`. */
export function nextPath(search: string, name: 'next' | 'redirect_to' = 'next'): string {
  const next = new URLSearchParams(search).get(name) ?? '/'
  const here = 'https://shop.invalid'
  if (!next.startsWith('/') || !URL.canParse(next, here)) return '/'
  const { origin, pathname, search: query, hash } = new URL(next, here)
  // The URL is compared as the browser reads it: `/..//elsewhere.example` is a path here and would be a host there.
  return origin === here && !pathname.startsWith('//') ? pathname + query + hash : '/'
}
