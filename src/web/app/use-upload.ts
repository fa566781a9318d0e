// The state of a form that sends a file first: the chosen file, how far it is, and what came of it.
import { useState, useRef } from 'react'
import { toast } from '../notices/toasts.tsx'
import { failure, ProblemError } from '../notices/send.ts'
import { useUnsavedChanges } from '../forms/unsaved-changes.ts'
import { isEbookName, useSendFile } from './send-file.ts'

export const missingInformation = {
  title: 'Missing Information',
  description: 'Please fill in all fields and select a file.',
  destructive: true,
}
const unexpected = 'An unexpected error occurred.'

export function useUpload() {
  const [file, setFile] = useState<File>()
  const [isBusy, setIsBusy] = useState(false)
  /** The file that was sent already: a refused form does not send it twice. */
  const sent = useRef<{ file: File; id: string }>(undefined)
  const { sending, send, cancel } = useSendFile()
  const { markChanged, markSaved } = useUnsavedChanges()

  function choose(chosen: File) {
    if (!isEbookName(chosen.name))
      return toast({
        title: 'Invalid File Type',
        description: 'Please upload a PDF, EPUB, or MOBI file.',
        destructive: true,
      })
    setFile(chosen)
    markChanged()
  }

  /** `save` calls `markSaved` before it leaves the page, and keeps the file chosen by false; a cancelled upload is not saved. Failures are shown as toasts. */
  async function upload(chosen: File, save: (upload_id: string) => Promise<boolean | void>) {
    setIsBusy(true)
    try {
      if (sent.current?.file !== chosen) {
        const id = await send(chosen)
        if (!id) return
        sent.current = { file: chosen, id }
      }
      if ((await save(sent.current.id)) !== false) setFile(undefined)
    } catch (error) {
      if (error instanceof ProblemError && error.code === 'uploads.not_found') sent.current = undefined
      toast(failure('Upload Failed', error, unexpected))
    } finally {
      setIsBusy(false)
    }
  }
  return {
    file,
    isBusy,
    upload,
    markChanged,
    markSaved,
    drop: { file, onFile: choose, sending, onCancel: cancel },
  }
}

export function notifyFindings(findings: readonly string[] = []): void {
  for (const description of findings) toast({ title: 'Please look at the file', description })
}
