import type { ComponentProps } from 'react'
import { Link } from 'react-router'

type Look = 'primary' | 'outline' | 'quiet' | 'danger'

/** Each has a border: of one height beside another, and to be seen where the system sets its own colours. */
const shape =
  'inline-flex min-h-11 cursor-pointer items-center justify-center gap-2 rounded-md border px-5 py-2.5 text-center font-semibold transition-colors disabled:cursor-default aria-disabled:cursor-default'

const looks: Record<Look, string> = {
  primary: 'border-transparent bg-ink text-page hover:bg-ink/85 disabled:bg-ink/60 aria-disabled:bg-ink/60',
  outline:
    'border-edge text-ink hover:border-ink hover:bg-ink/5 disabled:opacity-60 aria-disabled:opacity-60',
  danger: 'border-transparent bg-danger text-page hover:bg-danger/85 disabled:bg-danger/60',
  quiet: 'border-transparent text-ink hover:bg-ink/7 disabled:opacity-60',
}

export function buttonClass(look: Look = 'primary', className = ''): string {
  return `${shape} ${looks[look]} ${className}`
}

export function Button({
  look,
  className,
  type = 'button',
  ...rest
}: ComponentProps<'button'> & { look?: Look }) {
  return <button type={type} className={buttonClass(look, className)} {...rest} />
}

export function ButtonLink({ look, className, ...rest }: ComponentProps<typeof Link> & { look?: Look }) {
  return <Link className={buttonClass(look, className)} {...rest} />
}
