import type { ComponentProps } from 'react'
import { Link } from 'react-router'

type LinkProps = ComponentProps<typeof Link>

/** In running text of any color. */
export function TextLink({ className = '', ...rest }: LinkProps) {
  return <Link className={`rounded-sm text-ink underline underline-offset-4 ${className}`} {...rest} />
}

export function StrongLink({ className = '', ...rest }: LinkProps) {
  return <Link className={`rounded-sm font-semibold underline underline-offset-4 ${className}`} {...rest} />
}

/** The name of what a row of a list is about. */
export function NameLink({ className = '', ...rest }: LinkProps) {
  return <Link className={`rounded-sm font-semibold hover:underline ${className}`} {...rest} />
}
