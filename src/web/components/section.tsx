// The areas of a page: sections, their width, and a bar at the lower edge of the window.
import type { ReactNode, ComponentProps } from 'react'

type SectionProps = {
  id: string
  title?: string
  lead?: ReactNode
  /** Its padding above and below. */
  className?: string
  children: ReactNode
}

export function Section({ id, title, lead, className = 'py-16 sm:py-24', children }: SectionProps) {
  return (
    <section
      id={id}
      tabIndex={-1}
      {...(title && { 'aria-labelledby': `${id}-title` })}
      className={`scroll-mt-4 ${className}`}
    >
      <Container>
        {title && <SectionHeading id={`${id}-title`} title={title} lead={lead} />}
        {children}
      </Container>
    </section>
  )
}

type SideSectionProps = Omit<SectionProps, 'lead'> & { title: string; aside?: ReactNode }

/** The heading, or `aside`, stands beside the rest, on narrow screens above it. */
export function SideSection({ id, title, aside, className, children }: SideSectionProps) {
  const columns = aside
    ? 'items-center sm:grid-cols-[14rem_1fr] lg:grid-cols-[1fr_2.6fr]'
    : 'lg:grid-cols-[1fr_2.6fr] lg:items-baseline'
  const heading = (
    <h2 id={`${id}-title`} className={`font-display text-4xl text-balance ${aside ? 'mb-7' : ''}`}>
      {title}
    </h2>
  )
  return (
    <section id={id} tabIndex={-1} aria-labelledby={`${id}-title`} className={`scroll-mt-4 ${className}`}>
      <Container className={`grid gap-x-16 gap-y-8 ${columns}`}>
        {aside ?? heading}
        <div>
          {aside && heading}
          {children}
        </div>
      </Container>
    </section>
  )
}

function SectionHeading({ id, title, lead }: { id: string; title: string; lead: ReactNode }) {
  return (
    <header className="mx-auto mb-12 max-w-2xl text-center sm:mb-16">
      <h2 id={id} className="font-display text-4xl text-balance">
        {title}
      </h2>
      {lead && <div className="mt-5 text-lg text-pretty text-soft">{lead}</div>}
    </header>
  )
}

export function Container({ isText, className = '', ...rest }: ComponentProps<'div'> & { isText?: boolean }) {
  const width = isText ? 'max-w-[44rem]' : 'max-w-[76rem]'
  return <div className={`mx-auto w-full ${width} px-5 sm:px-8 ${className}`} {...rest} />
}

/** Stands at the window's lower edge. What has the focus is scrolled above it (look.css), and toasts keep clear of it. */
export function BottomBar({ label, className = '', children }: BottomBarProps) {
  return (
    <aside aria-label={label} className={`bottom-bar print:hidden ${className}`}>
      {children}
    </aside>
  )
}

type BottomBarProps = { label: string; className?: string; children: ReactNode }
