import { useEffect, useRef, useState, type ReactNode } from 'react'
import { focusWrong } from '../../../form.ts'
import { Button } from '../../../components/button.tsx'
import { BookForm, type ShownParts } from './book-form.tsx'
import { PreviewPane, usePreviewUrl } from './preview-pane.tsx'
import type { Draft } from './use-draft.ts'
import { Callout } from '../../../components/note.tsx'
import { formatMoment } from '../../../format.tsx'

type DraftEditorProps = ShownParts & {
  draft: Draft
  className: string
  head: ReactNode
  children: ReactNode
}

/** The form of the book beside its preview; on narrow screens one of them at a time. */
export function DraftEditor({ draft, className, head, children, ...shown }: DraftEditorProps) {
  const { document, change, problems, state } = draft
  const [section, setSection] = useState<string>()
  const [isPreviewed, setIsPreviewed] = useState(false)
  const url = usePreviewUrl()
  const form = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (form.current && Object.keys(problems).length > 0) focusWrong(form.current)
  }, [problems])
  return (
    <div className={`grid xl:grid-cols-[minmax(24rem,5fr)_7fr] ${className}`}>
      <div ref={form} className={`grid content-start gap-4 ${isPreviewed ? 'max-xl:hidden' : ''}`}>
        {head}
        <Button look="outline" className="xl:hidden" onClick={() => setIsPreviewed(true)}>
          Show the preview
        </Button>
        <BookForm document={document} change={change} problems={problems} onSection={setSection} {...shown} />
        {children}
      </div>
      <PreviewPane
        className={isPreviewed ? '' : 'max-xl:hidden'}
        src={url && `${url}?revision=${state.revision}`}
        legal={document.legal}
        section={section}
        onClose={() => setIsPreviewed(false)}
      />
    </div>
  )
}

type SaveLineProps = { draft: Draft; onKeepMine: () => void; onTakeTheirs: () => void }

export function SaveLine({ draft: { status, state, save }, onKeepMine, onTakeTheirs }: SaveLineProps) {
  if (status.kind === 'conflict') {
    return (
      <Callout look="danger" role="alert">
        <p className="text-pretty">{status.says} What you typed is still here.</p>
        <p className="mt-3 flex flex-wrap gap-2">
          <Button look="outline" onClick={onTakeTheirs}>
            Load the other version
          </Button>
          <Button look="outline" onClick={onKeepMine}>
            Replace it with my version
          </Button>
        </p>
      </Callout>
    )
  }
  return (
    <p role="status" className="flex min-h-6 flex-wrap items-center gap-x-3 text-sm text-soft">
      {wordsOf(status, state)}
      {status.kind === 'failed' && (
        <button
          type="button"
          className="cursor-pointer text-ink underline underline-offset-4"
          onClick={() => void save()}
        >
          Try again now
        </button>
      )}
    </p>
  )
}

function wordsOf(status: Draft['status'], { saved, versions }: Draft['state']): string {
  if (status.kind === 'changed' || status.kind === 'saving') return 'Saving...'
  if (status.kind === 'refused') return `Not saved: ${status.says}`
  if ('says' in status) return `Not saved yet: ${status.says} It is tried again by itself.`
  if (saved) return `Draft saved on ${formatMoment(saved.at)} by ${saved.by}. Visitors do not see it yet.`
  const [newest] = versions
  if (!newest) return 'Visitors see the sample. Nothing is published yet.'
  return `Visitors see version ${newest.number}, published on ${formatMoment(newest.published_at)}.`
}
