import { useEffect, useRef, type ReactNode } from 'react'
import { SiteFooter, SiteHeader } from './site-frame.tsx'
import { Container } from './components/container.tsx'

type MessagePageProps = {
  title: string
  text?: string
  /** It replaces what was asked: its heading gets the focus. */
  isAnswer?: boolean
  children?: ReactNode
}

/** Where a link of an email leads: what is asked, and its answer. */
export function MessagePage({ title, text, isAnswer = false, children }: MessagePageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (isAnswer) heading.current?.focus()
  }, [isAnswer])
  return (
    <>
      <SiteHeader />
      <main id="main" tabIndex={-1}>
        <Container isText className="grid justify-items-center gap-6 py-12 text-center sm:py-20">
          <h1 ref={heading} tabIndex={-1} className="font-display text-4xl text-balance">
            {title}
          </h1>
          <p className="text-lg text-pretty text-soft">{text}</p>
          {children}
        </Container>
      </main>
      <SiteFooter />
    </>
  )
}
