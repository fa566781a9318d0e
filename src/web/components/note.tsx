import { siteTexts } from '#words/site.ts'
import { CloudOff, type Icon } from './icons.tsx'
import type { ReactNode } from 'react'
import { useRevalidator } from 'react-router'
import { Button } from './button.tsx'

export function Note({ icon: Icon, title, children }: { icon: Icon; title: string; children?: ReactNode }) {
  return (
    <div className="grid justify-items-center px-6 py-14 text-center">
      <Icon aria-hidden className="size-9 text-soft" strokeWidth={1.25} />
      <h3 className="mt-3 text-lg font-semibold">{title}</h3>
      {children && <div className="mt-1 max-w-md text-pretty text-soft">{children}</div>}
    </div>
  )
}

export function Failed({ title }: { title: string }) {
  const { state, revalidate } = useRevalidator()
  return (
    <Note icon={CloudOff} title={title}>
      <p>{siteTexts.nothingLost}</p>
      <Button className="mt-5" disabled={state !== 'idle'} onClick={() => void revalidate()}>
        {state === 'idle' ? siteTexts.tryAgain : siteTexts.loading}
      </Button>
    </Note>
  )
}
