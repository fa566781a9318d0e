// Plain links: to pages, and to places of the page.
import type { ComponentProps } from 'react'

export type LinkProps = Omit<ComponentProps<'a'>, 'href'> & {
  to: string
  /** The page that is left does not stay in the history; only the app's router can do that (app/root.tsx). */
  replaces?: boolean
}

/** A plain link, on the site and in the app, whose router takes the clicks on its own pages. */
export function Link({ to, replaces, children, ...rest }: LinkProps) {
  return (
    <a href={to} data-replaces={replaces || undefined} {...rest}>
      {children}
    </a>
  )
}

/** To a place of the page, which takes the focus along (`tabIndex={-1}`). */
export function Anchor({ to, ...rest }: LinkProps) {
  return <Link to={`#${to}`} {...rest} />
}
