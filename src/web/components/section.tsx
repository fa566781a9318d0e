// The areas of a page: sections, their width, and a bar at the lower edge of the window.
import type { ReactNode, ComponentProps } from 'react'
import { printTitle } from './print-title.ts'

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

type SideSectionProps = Omit<SectionProps, 'lead'> & {
  title: string
  /** Takes the place of the heading, which then stands above the rest. */
  aside?: ReactNode
  /** Stands below the heading. */
  below?: ReactNode
  /** The rest begins with text, whose first line stands on that of the heading. */
  isText?: boolean
  size?: 'text-4xl' | 'text-3xl'
}

/** The heading stands beside the rest, on narrow screens above it. */
export function SideSection(props: SideSectionProps) {
  const { id, title, aside, below, isText = true, size = 'text-4xl', className, children } = props
  const columns = aside
    ? 'items-center sm:grid-cols-[14rem_1fr] lg:grid-cols-[1fr_2.6fr]'
    : `lg:grid-cols-[1fr_2.6fr] ${isText ? 'lg:items-baseline' : 'lg:items-start'}`
  const heading = (
    <h2 id={`${id}-title`} className={`font-display text-balance ${size} ${aside ? 'mb-7' : ''}`}>
      {title}
    </h2>
  )
  return (
    <section id={id} tabIndex={-1} aria-labelledby={`${id}-title`} className={`scroll-mt-4 ${className}`}>
      <Container className={`grid gap-x-16 gap-y-8 ${columns}`}>
        {aside ?? (
          <div className="min-w-0">
            {heading}
            {below}
          </div>
        )}
        <div className="min-w-0">
          {aside && heading}
          {children}
        </div>
      </Container>
    </section>
  )
}

function SectionHeading({ id, title, lead }: { id: string; title: string; lead: ReactNode }) {
  const printed = printTitle(title)
  return (
    <header className="mx-auto mb-12 max-w-2xl text-center sm:mb-16">
      <h2
        id={id}
        aria-label={printed === title ? undefined : title}
        className="font-display text-4xl text-balance"
      >
        {printed}
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
