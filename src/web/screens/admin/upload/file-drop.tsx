// Where a file is dropped or chosen; shows what it is, and how far it is on its way.
import { FileUp } from 'lucide-react'
import { useId, useState, type DragEvent } from 'react'
import { Button } from '../../../ui/button.tsx'
import type { Sending } from './send-file.ts'

type FileDropProps = {
  label: string
  hint: string
  /** Endings, as an `accept` attribute has them. */
  accept: string
  file: File | undefined
  onFile: (file: File) => void
  sending: Sending | undefined
  onCancel: () => void
}

export const ebookFile = {
  label: 'Ebook file',
  hint: 'Drop it here, or choose it: PDF, EPUB, or MOBI',
  accept: '.pdf,.epub,.mobi',
}

export function FileDrop({ label, hint, accept, file, onFile, sending, onCancel }: FileDropProps) {
  const id = useId()
  const [isOver, setIsOver] = useState(false)
  function drop(event: DragEvent) {
    event.preventDefault()
    setIsOver(false)
    const [dropped] = event.dataTransfer.files
    if (dropped && !sending) onFile(dropped)
  }
  return (
    <div
      className={`min-w-0 rounded-md border-2 border-dashed p-6 text-center ${isOver ? 'border-gold bg-gold/10' : 'border-ink/35'}`}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <FileUp aria-hidden className="mx-auto size-8 text-soft" strokeWidth={1.5} />
      <label htmlFor={id} className="mt-2 block font-semibold">
        {label}
      </label>
      <p className="text-sm text-soft">{hint}</p>
      <input
        id={id}
        type="file"
        accept={accept}
        disabled={sending !== undefined}
        className="mx-auto mt-3 block w-62 max-w-full text-sm file:mr-3 file:min-h-11 file:cursor-pointer file:rounded-md file:border file:border-ink/35 file:bg-surface file:px-4 file:font-semibold file:text-ink"
        onChange={(event) => {
          const [chosen] = event.target.files ?? []
          if (chosen) onFile(chosen)
        }}
      />
      {file && (
        <p className="mt-3 font-semibold break-words">
          {file.name} ({megabytes(file.size)} MB)
        </p>
      )}
      {sending && <Progress sending={sending} onCancel={onCancel} />}
    </div>
  )
}

function Progress({
  sending: { sent, size, perSecond, isWaiting },
  onCancel,
}: {
  sending: Sending
  onCancel: () => void
}) {
  const seconds = perSecond > 0 ? Math.ceil((size - sent) / perSecond) : undefined
  const left =
    seconds === undefined
      ? ''
      : seconds < 90
        ? `, ${seconds} s left`
        : `, ${Math.ceil(seconds / 60)} min left`
  return (
    <div className="mt-4">
      <progress aria-label="Upload" value={sent} max={size} className="h-2 w-full accent-success" />
      <p className="mt-1 flex items-center justify-between gap-4 text-sm text-soft tabular-nums">
        <span role="status">
          {isWaiting
            ? 'The connection is away. It goes on by itself...'
            : `${megabytes(sent)} of ${megabytes(size)} MB, ${megabytes(perSecond)} MB/s${left}`}
        </span>
        <Button look="quiet" onClick={onCancel}>
          Cancel upload
        </Button>
      </p>
    </div>
  )
}

function megabytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(2)
}
