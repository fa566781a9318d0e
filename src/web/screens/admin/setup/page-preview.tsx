import { useState } from 'react'
import { PreviewFrame } from '../book/preview-frame.tsx'
import { usePreviewUrl } from '../book/preview-pane.tsx'

type PagePreviewProps = {
  /** Another one loads the page again. */
  version: string | number
  section?: string
  /** Saves what the page is to show; false where it cannot be saved. */
  prepare?: () => Promise<boolean>
}

/** The page as it will open, loaded when it is asked for. */
export function PagePreview({ version, section, prepare }: PagePreviewProps) {
  const [isOpen, setIsOpen] = useState(false)
  async function show(details: HTMLDetailsElement) {
    if (details.open && prepare && !(await prepare())) details.open = false
    setIsOpen(details.open)
  }
  return (
    <details
      className="mt-8 border-t border-line pt-6"
      onToggle={({ currentTarget }) => void show(currentTarget)}
    >
      <summary className="cursor-pointer rounded-sm font-display text-xl font-semibold">
        See your page as visitors will
      </summary>
      {isOpen && <Frame version={version} section={section} />}
    </details>
  )
}

function Frame({ version, section }: Pick<PagePreviewProps, 'version'> & { section: string | undefined }) {
  const url = usePreviewUrl()
  const isNarrow = matchMedia('(width < 48rem)').matches
  return (
    <div className="mt-4 h-[36rem]">
      <PreviewFrame
        src={url && `${url}?version=${encodeURIComponent(version)}&page=home`}
        device={isNarrow ? 'phone' : 'desktop'}
        section={section}
      />
    </div>
  )
}
