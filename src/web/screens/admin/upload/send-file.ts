import { useEffect, useRef, useState } from 'react'
import type { DetailedError, Upload } from 'tus-js-client'
import type { ProblemCode } from '#contract/refusals.ts'
import { ProblemError } from '../../../api.ts'
import { accessToken } from '../../../session.ts'
import { toast } from '../../../toasts.tsx'

export type Sending = {
  sent: number
  size: number
  perSecond: number
  isWaiting: boolean
}

/** By its name alone; the server looks at the content. */
export const isEbookName = (name: string) => /\.(pdf|epub|mobi)$/i.test(name)

/** What was received of a broken piece stays, so that they may be large: each costs a turn to the server and back. */
const pieceBytes = 32 * 1024 * 1024
/** Half a minute in all before it gives up; what was sent stays, and the next try goes on from there. */
const pausesMs = [0, 1_000, 3_000, 5_000, 10_000, 15_000]

export function useSendFile() {
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
          endpoint: '/api/admin/uploads',
          metadata: { filename: file.name },
          chunkSize: pieceBytes,
          retryDelays: pausesMs,
          removeFingerprintOnSuccess: true,
          // Requested each time: an upload may outlive a token.
          onBeforeRequest: async (request) => {
            request.setHeader('authorization', `Bearer ${await accessToken()}`)
          },
          onProgress: (sent) => show(sent),
          onShouldRetry: (error) => {
            const status = error.originalResponse?.getStatus() ?? 0
            if (isDiskFull(error)) return false
            setSending((shown) => shown && { ...shown, isWaiting: true })
            return status === 0 || status >= 500 || status === 409 || status === 423
          },
          onError: (error) => reject(refusalOf(error)),
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
function refusalOf(error: Error | DetailedError): Error {
  const response = 'originalResponse' in error ? error.originalResponse : null
  const status = response?.getStatus() ?? 0
  const refusal = isDiskFull(error) ? full : refusals[status]
  return refusal ? new ProblemError({ status, ...refusal }) : error
}

const full = {
  code: 'server.full',
  detail: 'The shop has no room left to store this file. Make some on its disk, and press the button again.',
} as const

function isDiskFull(error: Error | DetailedError): boolean {
  const body = 'originalResponse' in error ? error.originalResponse?.getBody() : undefined
  return body?.includes(`"code":"${full.code}"`) ?? false
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
