// A new ebook for the store: its words, its price, its file. What was typed stays until it is done.
import { useRef, useState, type FormEvent } from 'react'
import { useNavigate } from 'react-router'
import { formats, type Format } from '#contract/products.ts'
import type { ShelfApi } from '#server/api/shelf.ts'
import { answerOf, deskClient, ProblemError } from '../../../api.ts'
import { failure, notices } from '../../../copy.ts'
import { useFocusBack } from '../../../focus-back.ts'
import { toast } from '../../../toasts.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Field, SelectField, TextField } from '../../../ui/field.tsx'
import { ebookFile, FileDrop } from './file-drop.tsx'
import { isEbookName, useSendFile } from './send-file.ts'

const api = deskClient<ShelfApi>()
const unexpected = 'An unexpected error occurred.'

export default function UploadEbook() {
  const navigate = useNavigate()
  const form = useRef<HTMLFormElement>(null)
  const [file, setFile] = useState<File>()
  const [isBusy, setIsBusy] = useState(false)
  /** Of the file that was sent already: a refused form does not send it twice. */
  const sent = useRef<{ file: File; id: string }>(undefined)
  const { sending, send, cancel } = useSendFile()
  useFocusBack(form, isBusy)

  function choose(chosen: File) {
    if (!isEbookName(chosen.name)) return toast(notices.notAnEbook)
    setFile(chosen)
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    const fields = readFields(new FormData(form.current!))
    if (!fields || !file) return toast(notices.missingInformation)
    // What is wrong with a field is said before the file is sent, not after.
    if (!form.current!.reportValidity()) return
    setIsBusy(true)
    try {
      if (sent.current?.file !== file) {
        const id = await send(file)
        if (!id) return
        sent.current = { file, id }
      }
      const json = { ...fields, upload_id: sent.current.id }
      const product = await answerOf(api.products.$post({ json }))
      toast(notices.uploaded)
      for (const finding of product.editions[0]?.findings ?? [])
        toast({ title: 'Please look at the file', description: finding })
      await navigate('/admin')
    } catch (error) {
      if (error instanceof ProblemError && error.code === 'uploads.not_found') sent.current = undefined
      toast(failure('Upload Failed', error, unexpected))
    } finally {
      setIsBusy(false)
    }
  }

  return (
    <Card title="Upload Ebook" className="mx-auto max-w-3xl">
      <form ref={form} noValidate className="p-5" onSubmit={(event) => void submit(event)}>
        <fieldset disabled={isBusy} className="grid gap-5">
          <Field label="Title" name="name" maxLength={200} />
          <TextField
            label="Description (optional)"
            name="description"
            rows={3}
            maxLength={2000}
            required={false}
          />
          <div className="grid gap-5 sm:grid-cols-2">
            <Field label="Price ($)" name="price" type="number" step="0.01" min="0" inputMode="decimal" />
            <SelectField
              label="Format"
              name="format"
              defaultValue="digital"
              options={formats.map((value) => ({ value, label: value[0]!.toUpperCase() + value.slice(1) }))}
            />
          </div>
          <label className="flex items-center gap-3 font-semibold">
            <input type="checkbox" name="is_digital" defaultChecked className="size-5 accent-ink" />
            Digital product, with a download
          </label>
        </fieldset>
        <div className="mt-5">
          <FileDrop {...ebookFile} file={file} onFile={choose} sending={sending} onCancel={cancel} />
        </div>
        <p className="mt-6">
          <Button type="submit" disabled={isBusy}>
            {isBusy ? 'Uploading...' : 'Upload Ebook'}
          </Button>
        </p>
      </form>
    </Card>
  )
}

/** Undefined when something that is needed is missing. */
function readFields(form: FormData) {
  const name = (form.get('name') as string).trim()
  const price = form.get('price') as string
  const format = form.get('format') as Format
  if (!name || !price || !format) return undefined
  const is_digital = form.has('is_digital')
  return { name, description: form.get('description') as string, price: Number(price), format, is_digital }
}
