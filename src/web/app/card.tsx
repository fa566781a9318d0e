// Cards, and what stands in them while something is loading or when it could not be loaded.
import type { Icon } from '../components/icons.tsx'
import type { ReactNode } from 'react'
import { controlsTexts, siteTexts } from '#words/site.ts'
import { useRevalidator } from 'react-router'
import { Button } from '../components/button.tsx'
import { CloudOff } from '../components/further-icons.tsx'
import { Note } from '../components/note.tsx'

type CardProps = {
  title?: string | undefined
  action?: ReactNode
  className?: string
  /** The content below the title stands in a box with these classes. */
  contentClass?: string
  children: ReactNode
}

export function Card({ title, action, className = '', contentClass, children }: CardProps) {
  return (
    <section className={`min-w-0 rounded-md border border-line bg-surface ${className}`}>
      {title && (
        <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line px-5 py-3">
          <h2 className="text-lg font-semibold">{title}</h2>
          {action}
        </header>
      )}
      {contentClass ? <div className={contentClass}>{children}</div> : children}
    </section>
  )
}

type StatCardProps = { name: string; value: ReactNode; hint?: ReactNode; icon?: Icon }

/** Stands in a `<dl>`. */
export function StatCard({ name, value, hint, icon: Icon }: StatCardProps) {
  return (
    <div className="min-w-0 rounded-md border border-line bg-surface px-4 py-4 sm:px-5">
      <dt className="flex items-center justify-between gap-3 text-sm font-semibold text-soft">
        {name}
        {Icon && <Icon aria-hidden className="size-4.5 shrink-0 max-sm:hidden" />}
      </dt>
      <dd className="mt-1 text-xl font-semibold tabular-nums sm:text-2xl">{value}</dd>
      {hint && <dd className="mt-0.5 text-sm text-soft">{hint}</dd>}
    </div>
  )
}

export function Bar({ className }: { className: string }) {
  return <div className={`max-w-full animate-pulse rounded-md bg-ink/8 ${className}`} />
}

export function Failed({ title }: { title: string }) {
  const { state, revalidate } = useRevalidator()
  return (
    <Note icon={CloudOff} title={title}>
      <p>{controlsTexts.nothingLost}</p>
      <Button className="mt-5" disabled={state !== 'idle'} onClick={() => void revalidate()}>
        {state === 'idle' ? siteTexts.tryAgain : controlsTexts.loading}
      </Button>
    </Note>
  )
}

/** It takes the place of a screen whose data could not be loaded. */
export function LoadFailed({ card, title }: { card?: string; title: string }) {
  return (
    <Card title={card}>
      <Failed title={title} />
    </Card>
  )
}
