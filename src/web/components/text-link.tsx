import type { ComponentProps } from 'react'
import { Link } from 'react-router'

const looks = {
  /** In running text of any color. */
  inText: 'text-ink underline underline-offset-4',
  strong: 'font-semibold underline underline-offset-4',
  /** The name of what a row of a list is about. */
  name: 'font-semibold hover:underline',
}

type TextLinkProps = ComponentProps<typeof Link> & { look?: keyof typeof looks }

export function TextLink({ look = 'inText', className = '', ...rest }: TextLinkProps) {
  return <Link className={`rounded-sm ${looks[look]} ${className}`} {...rest} />
}
