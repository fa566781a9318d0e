// Where to go after signing in: only ever a place on this site.

/** The path asked for by `?next=`; anything that would lead elsewhere is home. */
export function nextPath(search: string): string {
  const next = new URLSearchParams(search).get('next') ?? '/'
  const here = 'https://shop.invalid'
  const isOwn = next.startsWith('/') && URL.canParse(next, here) && new URL(next, here).origin === here
  return isOwn ? next : '/'
}
