// A page with one message: the target of an email's link, and its answer.
import { useEffect, useRef, type ReactNode } from 'react'
import { Container } from '../components/section.tsx'

type MessageProps = {
  title: string
  text?: ReactNode
  /** It replaces what was asked: its heading gets the focus. */
  isAnswer?: boolean
  children?: ReactNode
}

export function Message({ title, text, isAnswer = false, children }: MessageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (isAnswer) heading.current?.focus()
  }, [isAnswer])
  return (
    <Container isText className="grid justify-items-center gap-6 py-12 text-center sm:py-20">
      <h1 ref={heading} tabIndex={-1} className="font-display text-4xl text-balance">
        {title}
      </h1>
      <p className="text-lg text-pretty text-soft">{text}</p>
      {children}
    </Container>
  )
}
