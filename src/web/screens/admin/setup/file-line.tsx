import type { BookSetup } from '#contract/operations/book-setup.ts'
import { TriangleAlert } from '../icons.tsx'
import { Callout } from '../../../components/callout.tsx'

type FileLineProps = Pick<BookSetup, 'file'> & { onChoose: () => void }

export function FileLine({ file, onChoose }: FileLineProps) {
  if (file?.is_stored)
    return (
      <p className="mt-4 text-sm text-soft">
        Buyers of the digital format download <span className="break-words text-ink">{file.name}</span>.
      </p>
    )
  return (
    <Callout role="note" className="mt-4 flex gap-3">
      <TriangleAlert aria-hidden className="size-5 shrink-0 text-gold-text" />
      <span>
        {file ? `${file.name} is no longer stored: it was uploaded more than three days ago. ` : ''}
        The digital format goes on sale once it has a file.{' '}
        <button
          type="button"
          className="cursor-pointer rounded-sm font-semibold underline underline-offset-4"
          onClick={onChoose}
        >
          Choose the file
        </button>
      </span>
    </Callout>
  )
}
