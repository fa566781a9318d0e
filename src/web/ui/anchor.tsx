// A link to a place on the same page: glides there, unless the visitor asked for less motion.
import type { ComponentProps } from 'react'
import { Link } from 'react-router'

type AnchorProps = Omit<ComponentProps<typeof Link>, 'to'> & {
  /** The id of the place. */
  to: string
}

export function Anchor({ to, ...rest }: AnchorProps) {
  return <Link to={`#${to}`} preventScrollReset onClick={() => glideTo(to)} {...rest} />
}

/** CSS would glide on every change of the page too; the focus moves along for the keyboard's sake. */
function glideTo(id: string) {
  const place = document.getElementById(id)
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  place?.scrollIntoView({ behavior: isCalm ? 'auto' : 'smooth' })
  place?.focus({ preventScroll: true })
}
