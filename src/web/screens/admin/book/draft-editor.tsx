import { useState, type ReactNode, type Ref } from 'react'
import { Button } from '../../../components/button.tsx'
import { BookForm, type ShownParts } from './book-form.tsx'
import { PreviewPane, usePreviewUrl } from './preview-pane.tsx'
import type { Draft } from './use-draft.ts'

type DraftEditorProps = ShownParts & {
  draft: Draft
  className: string
  form?: Ref<HTMLDivElement>
  head: ReactNode
  children: ReactNode
}

/** The form of the book beside its preview; on narrow screens one of them at a time. */
export function DraftEditor({ draft, className, form, head, children, ...shown }: DraftEditorProps) {
  const { document, change, problems, state } = draft
  const [section, setSection] = useState<string>()
  const [isPreviewed, setIsPreviewed] = useState(false)
  const url = usePreviewUrl()
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
