import type { ComponentProps, MouseEvent } from 'react'
import { Link, useNavigate } from 'react-router'

type AnchorProps = Omit<ComponentProps<typeof Link>, 'to' | 'onClick'> & {
  to: string
}

export function Anchor({ to, ...rest }: AnchorProps) {
  const navigate = useNavigate()
  /** The router itself scrolls: this once it is made to glide. The focus moves along for the keyboard's sake. */
  async function glide() {
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
    const { style } = document.documentElement
    style.scrollBehavior = isCalm ? '' : 'smooth'
    await navigate(`#${to}`, { replace: location.hash === `#${to}`, flushSync: true })
    style.scrollBehavior = ''
    document.getElementById(to)?.focus({ preventScroll: true })
  }
  function click(event: MouseEvent) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    void glide()
  }
  return <Link to={`#${to}`} onClick={click} {...rest} />
}
