// A box around what the reader should not miss.
import type { ComponentProps } from 'react'

const looks = {
  warning: 'border-gold/60 bg-gold/10',
  danger: 'border-danger/50 bg-danger/8',
}

type CalloutProps = ComponentProps<'div'> & { look?: keyof typeof looks }

/** `role="alert"` is for one that appears after the page. */
export function Callout({ look = 'warning', className = '', ...rest }: CalloutProps) {
  return (
    <div
      className={`rounded-md border px-4 py-3 text-sm text-pretty ${looks[look]} ${className}`}
      {...rest}
    />
  )
}
