// Fields for files that are dropped or chosen, and their uploads.
import { FileUp } from '../components/further-icons.tsx'
import { useEffect, useId, useState, type DragEvent, type ComponentProps, useRef } from 'react'
import { Button, buttonClass } from '../components/button.tsx'
import { Picture } from '../product/cover.tsx'
import { toast } from '../notices/toasts.tsx'
import type { DetailedError, Upload } from 'tus-js-client'
import type { ProblemCode } from '#contract/refusals.ts'

import { accessToken } from '../session/session.ts'
import { failure, ProblemError } from '../notices/send.ts'
import { useUnsavedChanges } from '../forms/unsaved-changes.ts'
import { textIn, toObject } from '../page/page-state.ts'

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

/** The browser's own button would name the last file that was picked, also where it was refused, or sent long ago. */
const lookOfInput =
  'peer-disabled:cursor-default peer-disabled:opacity-60 peer-focus-visible:outline-2 peer-focus-visible:outline-offset-3 peer-focus-visible:outline-focus'

export function FileDrop({ label, hint, accept, file, onFile, sending, onCancel }: FileDropProps) {
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

function Progress({ sending: { sent, size, perSecond, isWaiting }, onCancel }: ProgressProps) {
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
      <p className="mt-1 flex items-center justify-between gap-4 text-left text-sm text-soft tabular-nums">
        {!isWaiting && (
          <span>{`${megabytes(sent)} of ${megabytes(size)} MB, ${megabytes(perSecond)} MB/s${left}`}</span>
        )}
        <span role="status">{isWaiting && 'The connection is away. It goes on by itself...'}</span>
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

type Sending = {
  sent: number
  size: number
  perSecond: number
  isWaiting: boolean
}

/** By its name alone; the server looks at the content. */
const isEbookName = (name: string) => /\.(pdf|epub|mobi)$/i.test(name)

/** What was received of a broken piece stays, so that they may be large: each costs a turn to the server and back. */
const maxPieceBytes = 32 * 1024 * 1024
/** The limit that nginx has unless it is told otherwise is 1 MB. */
const minPieceBytes = 256 * 1024
/** Half a minute in all before it gives up; what was sent stays, and the next try goes on from there. */
const pausesMs = [0, 1_000, 3_000, 5_000, 10_000, 15_000]

/** Where a file goes, and what the server knows its sender by. */
export type UploadTarget = {
  endpoint: string
  /** Requested each time: an upload may outlive a token. */
  headers: () => Promise<Record<string, string>>
  /** A file that was sent already is found again, as after the page was loaded anew. */
  remembersSent?: boolean
}

const ofAdmins: UploadTarget = {
  endpoint: '/api/admin/uploads',
  headers: async () => ({ authorization: `Bearer ${await accessToken()}` }),
}

export function useSendFile({ endpoint, headers, remembersSent = false }: UploadTarget = ofAdmins) {
  const [sending, setSending] = useState<Sending>()
  const stop = useRef<(isForGood: boolean) => void>(undefined)
  useEffect(
    () => () => {
      if (stop.current)
        toast({
          title: 'Upload stopped',
          description: 'Choose the same file again, and it goes on where it stopped.',
        })
      stop.current?.(false)
    },
    [],
  )

  async function send(file: File): Promise<string | undefined> {
    const tus = await import('tus-js-client')
    const since = performance.now()
    let first: number | undefined
    const show = (sent: number) => {
      first ??= sent
      const seconds = (performance.now() - since) / 1000
      setSending({
        sent,
        size: file.size,
        perSecond: (sent - first) / Math.max(seconds, 0.1),
        isWaiting: false,
      })
    }
    setSending({ sent: 0, size: file.size, perSecond: 0, isWaiting: false })
    try {
      return await new Promise<string | undefined>((resolve, reject) => {
        const upload = new tus.Upload(file, {
          endpoint,
          metadata: { filename: file.name },
          chunkSize: maxPieceBytes,
          retryDelays: pausesMs,
          removeFingerprintOnSuccess: !remembersSent,
          onBeforeRequest: async (request) => {
            for (const [name, value] of Object.entries(await headers())) request.setHeader(name, value)
          },
          onProgress: (sent) => show(sent),
          onShouldRetry: (error) => {
            const status = error.originalResponse?.getStatus() ?? 0
            if (isDiskFull(error)) return false
            setSending((shown) => shown && { ...shown, isWaiting: true })
            return status === 0 || status >= 500 || status === 409 || status === 423
          },
          onError: (error) => {
            const { chunkSize = maxPieceBytes } = upload.options
            if (!isTooLargeForProxy(error) || chunkSize <= minPieceBytes)
              return reject(refusalOf(error, endpoint))
            upload.options.chunkSize = Math.max(chunkSize / 2, minPieceBytes)
            upload.start()
          },
          onSuccess: () => resolve(upload.url?.split('/').at(-1)),
        })
        stop.current = (isForGood) => {
          void upload.abort(isForGood).catch(() => undefined)
          resolve(undefined)
        }
        resume(upload).catch(reject)
      })
    } finally {
      stop.current = undefined
      setSending(undefined)
    }
  }

  return { sending, send, cancel: () => stop.current?.(true) }
}

async function resume(upload: Upload): Promise<void> {
  const [earlier] = await upload.findPreviousUploads()
  if (earlier) upload.resumeFromPreviousUpload(earlier)
  upload.start()
}

/** What the server says of a file is the protocol's text, not for users. */
function refusalOf(error: Error | DetailedError, endpoint: string): Error {
  const response = 'originalResponse' in error ? error.originalResponse : null
  const status = response?.getStatus() ?? 0
  const own = endpoint === ofAdmins.endpoint ? undefined : problemIn(response?.getBody() ?? '')
  const refusal = isDiskFull(error)
    ? full
    : isTooLargeForProxy(error)
      ? proxyLimit
      : (own ?? refusals[status])
  return refusal ? new ProblemError({ status, ...refusal }) : error
}

function problemIn(body: string): { code: string; detail: string } | undefined {
  try {
    const problem = toObject(JSON.parse(body))
    const [code, detail] = [textIn(problem, 'code'), textIn(problem, 'detail')]
    return code && detail ? { code, detail } : undefined
  } catch {
    return undefined
  }
}

const full = {
  code: 'server.full',
  detail: 'The shop has no room left to store this file. Make some on its disk, and press the button again.',
} as const

function isDiskFull(error: Error | DetailedError): boolean {
  const body = 'originalResponse' in error ? error.originalResponse?.getBody() : undefined
  return body?.includes(`"code":"${full.code}"`) ?? false
}

const proxyLimit = {
  code: 'request.too_large',
  detail:
    'A server in front of the shop (as nginx or Cloudflare) refuses even small pieces of the file. Raise its limit for the size of requests; with nginx, that is client_max_body_size.',
} as const

/** The shop's own refusal has the header of the protocol, or is a problem document. */
function isTooLargeForProxy(error: Error | DetailedError): boolean {
  const response = 'originalResponse' in error ? error.originalResponse : null
  if (response?.getStatus() !== 413) return false
  return !response.getHeader('Tus-Resumable') && problemIn(response.getBody()) === undefined
}

const refusals: Record<number, { code: ProblemCode; detail: string }> = {
  0: {
    code: 'server.unavailable',
    detail: 'The connection is away. Press the button again, and it goes on where it stopped.',
  },
  401: { code: 'access.signed_out', detail: 'Your session has ended. Please sign in again.' },
  403: { code: 'access.forbidden', detail: "You don't have admin privileges." },
  413: { code: 'request.too_large', detail: 'The file is larger than this shop accepts.' },
}

export const missingInformation = {
  title: 'Missing Information',
  description: 'Please fill in all fields and select a file.',
  destructive: true,
}
const unexpected = 'An unexpected error occurred.'

export function useUpload() {
  const [file, setFile] = useState<File>()
  const [isBusy, setIsBusy] = useState(false)
  /** Of the file that was sent already: a refused form does not send it twice. */
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
