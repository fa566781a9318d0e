import { useState } from 'react'
import { PreviewFrame } from '../book/preview-frame.tsx'
import { usePreviewUrl } from '../book/preview-pane.tsx'

/** The page as it will open, loaded when it is asked for. */
export function PagePreview({ revision }: { revision: number }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details
      className="mt-8 border-t border-line pt-6"
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary className="cursor-pointer rounded-sm font-display text-xl font-semibold">
        See your page as visitors will
      </summary>
      {isOpen && <Frame revision={revision} />}
    </details>
  )
}

function Frame({ revision }: { revision: number }) {
  const url = usePreviewUrl()
  const isNarrow = matchMedia('(width < 48rem)').matches
  return (
    <div className="mt-4 h-[36rem]">
      <PreviewFrame
        src={url && `${url}?revision=${revision}&page=home`}
        device={isNarrow ? 'phone' : 'desktop'}
        section={undefined}
      />
    </div>
  )
}
