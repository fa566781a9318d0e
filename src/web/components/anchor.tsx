import { Link, type LinkProps } from './link.tsx'

/** To a place of the page, which takes the focus along (`tabIndex={-1}`). */
export function Anchor({ to, ...rest }: LinkProps) {
  return <Link to={`#${to}`} {...rest} />
}
