// Fields for files that are dropped or chosen, with the progress of their upload.
import { FileUp } from '../components/further-icons.tsx'
import { useEffect, useId, useState, type DragEvent, type ComponentProps } from 'react'
import { Button, buttonClass } from '../components/button.tsx'
import { Picture } from '../product/cover.tsx'
import { toast } from '../notices/toasts.tsx'
import type { Sending } from './send-file.ts'
import { megabytes, progressWords } from './upload-progress.ts'

type FileDropProps = {
  label: string
  /** A link to the field has it. */
  name?: string
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

/** The browser's own button would name the last file that was picked, also where it was refused, or sent long ago. */
const lookOfInput =
  'peer-disabled:cursor-default peer-disabled:opacity-60 peer-focus-visible:outline-2 peer-focus-visible:outline-offset-3 peer-focus-visible:outline-focus'

export function FileDrop({ label, name, hint, accept, file, onFile, sending, onCancel }: FileDropProps) {
  const id = useId()
  const [isOver, setIsOver] = useState(false)
  useEffect(keepPageOpen, [])
  function drop(event: DragEvent) {
    event.preventDefault()
    setIsOver(false)
    const [dropped] = event.dataTransfer.files
    if (dropped && !sending) onFile(dropped)
  }
  return (
    <div
      className={`min-w-0 rounded-md border-2 border-dashed p-6 text-center ${isOver ? 'border-gold bg-gold/10' : 'border-edge'}`}
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
      <span className="relative mt-3 inline-block">
        <input
          id={id}
          type="file"
          name={name}
          accept={accept}
          disabled={sending !== undefined}
          className="peer sr-only"
          onChange={({ target }) => {
            const [chosen] = target.files ?? []
            if (chosen) onFile(chosen)
            // The same one may be chosen again.
            target.value = ''
          }}
        />
        <label htmlFor={id} className={buttonClass('outline', lookOfInput)}>
          {file ? 'Choose another file' : 'Choose a file'}
        </label>
      </span>
      {file && (
        <p className="mt-3 font-semibold break-words">
          {file.name} ({megabytes(file.size)} MB)
        </p>
      )}
      {sending && <Progress sending={sending} onCancel={onCancel} />}
    </div>
  )
}

/** A file that is dropped beside its place would be opened in place of the page, and what was typed be gone. */
function keepPageOpen() {
  const stay = (event: globalThis.DragEvent) => event.preventDefault()
  addEventListener('dragover', stay)
  addEventListener('drop', stay)
  return () => {
    removeEventListener('dragover', stay)
    removeEventListener('drop', stay)
  }
}

type ProgressProps = { sending: Sending; onCancel: () => void }

function Progress({ sending, onCancel }: ProgressProps) {
  const { sent, size, isWaiting } = sending
  return (
    <div className="mt-4">
      <progress aria-label="Upload" value={sent} max={size} className="h-2 w-full accent-success" />
      <p className="mt-1 flex items-center justify-between gap-4 text-left text-sm text-soft tabular-nums">
        {!isWaiting && <span>{progressWords(sending)}</span>}
        <span role="status">{isWaiting && 'The connection is away. It goes on by itself...'}</span>
        <Button look="quiet" onClick={onCancel}>
          Cancel upload
        </Button>
      </p>
    </div>
  )
}

type PictureDropProps = Pick<
  ComponentProps<typeof FileDrop>,
  'label' | 'hint' | 'onFile' | 'sending' | 'onCancel'
> & {
  picture: ComponentProps<typeof Picture>['picture'] | null
  alt: string
}

export function PictureDrop({ picture, alt, onFile, ...rest }: PictureDropProps) {
  return (
    <div className="flex flex-wrap items-center gap-5">
      {picture && (
        <Picture
          picture={picture}
          alt={alt}
          sizes="10rem"
          className="mx-auto h-44 w-auto max-w-40 rounded-sm object-contain shadow-md"
        />
      )}
      <div className="min-w-0 flex-1 basis-60">
        <FileDrop
          accept=".jpg,.jpeg,.png,.webp"
          file={undefined}
          onFile={(file) =>
            isPictureName(file.name)
              ? onFile(file)
              : toast({
                  title: 'Invalid File Type',
                  description: 'Please choose a JPEG, PNG or WebP picture.',
                  destructive: true,
                })
          }
          {...rest}
        />
      </div>
    </div>
  )
}

const isPictureName = (name: string) => /\.(jpe?g|png|webp)$/i.test(name)
