import { useState } from 'react'
import { ProblemError } from '../../../api.ts'
import { ButtonLink } from '../../../components/button.tsx'
import { Spinner } from '../../../components/spinner.tsx'
import { toast } from '../../../toasts.tsx'
import { FileDrop } from '../upload/file-drop.tsx'
import { useUpload } from '../upload/use-upload.ts'
import { takeFile } from './calls.ts'
import { StepCard, StepButtons, type StepProps } from './step-card.tsx'

const bookFile = {
  label: 'Your book',
  hint: 'Drop it here, or choose it: EPUB, PDF, or MOBI',
  accept: '.epub,.pdf,.mobi',
}

/** The server says of a smaller file what it is, and what to do with it. */
const maxOtherBytes = 50 * 1024 ** 2

const wrongKind = {
  title: 'Invalid File Type',
  description:
    'Please choose your book as an EPUB, a PDF, or a MOBI. Most writing programs can export an EPUB.',
  destructive: true,
}

export function FileStep({ setup, run, goTo, isBusy }: StepProps) {
  const { drop, upload, markSaved } = useUpload()
  const [isRead, setIsRead] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  async function start(file: File) {
    const isBook = /\.(epub|pdf|mobi)$/i.test(file.name)
    if (!isBook && file.size > maxOtherBytes) return toast(wrongKind)
    drop.onFile(file)
    setRefusal(undefined)
    await upload(file, async (upload_id) => {
      markSaved()
      setIsRead(true)
      await run('Couldn’t read the file', () => takeFile(upload_id).catch(show))
      setIsRead(false)
    })
  }
  function show(error: unknown) {
    if (!(error instanceof ProblemError) || error.status !== 422) throw error
    setRefusal(error.message)
  }
  return (
    <StepCard
      title="Bring your book"
      lead="The title, author, description, cover and first chapter are read from its file. You can change every word before anyone sees it."
    >
      <FileDrop {...bookFile} {...drop} onFile={(file) => void start(file)} />
      {refusal && (
        <p role="alert" className="mt-4 rounded-md border border-danger/50 bg-danger/8 px-4 py-3 text-pretty">
          {refusal}
        </p>
      )}
      <p role="status" className="flex items-center gap-3 text-soft not-empty:mt-4">
        {isRead && (
          <>
            <Spinner /> <span>Reading your book...</span>
          </>
        )}
      </p>
      {setup.file ? (
        <>
          <p className="mt-6 text-pretty">
            Read from <strong className="break-words">{setup.file.name}</strong>. If you choose another file,
            it replaces what came from this one. What you changed yourself stays.
          </p>
          <StepButtons isBusy={isBusy} onNext={() => goTo('words')} />
        </>
      ) : (
        <SampleWays />
      )}
    </StepCard>
  )
}

/** The shop sells the sample already: what the steps would ask for is done in the views of the admin area. */
function SampleWays() {
  return (
    <section aria-labelledby="sample" className="mt-7 border-t border-line pt-6">
      <h3 id="sample" className="font-semibold">
        No file at hand? Begin with the sample
      </h3>
      <p className="mt-1 max-w-prose text-sm text-pretty text-soft">
        Your shop shows and sells the sample book until you bring your own. See it as visitors do, then change
        its words, products and prices. “First steps” on the dashboard brings you back here.
      </p>
      <p className="mt-4 flex flex-wrap gap-3">
        <ButtonLink to="/" look="outline" reloadDocument>
          See the shop
        </ButtonLink>
        <ButtonLink to="/admin/book" look="outline">
          Change its words
        </ButtonLink>
        <ButtonLink to="/admin/products" look="outline">
          Change products and prices
        </ButtonLink>
      </p>
    </section>
  )
}
