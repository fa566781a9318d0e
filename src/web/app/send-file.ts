// Sends a file in pieces by the tus protocol, and says what a server refuses.
import { useEffect, useState, useRef } from 'react'
import { toast } from '../notices/toasts.tsx'
import type { DetailedError, Upload } from 'tus-js-client'
import type { ProblemCode } from '#contract/refusals.ts'
import { accessToken } from '../session/session.ts'
import { ProblemError } from '../notices/send.ts'
import { textIn, toObject } from '../page/page-state.ts'

export type Sending = {
  sent: number
  size: number
  perSecond: number
  isWaiting: boolean
}

/** It looks at the name alone; the server looks at the content. */
export const isEbookName = (name: string) => /\.(pdf|epub|mobi)$/i.test(name)

/** Pieces may be large, since the received part of a broken one stays: each piece costs a round trip. */
const maxPieceBytes = 32 * 1024 * 1024
/** The limit that nginx has unless it is told otherwise is 1 MB. */
const minPieceBytes = 256 * 1024
/** Half a minute in all before it gives up; what was sent stays, and the next try goes on from there. */
const pausesMs = [0, 1_000, 3_000, 5_000, 10_000, 15_000]

/** The address that a file is sent to, and the headers by which the server knows its sender. */
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

/** The server's answer about a file is the protocol's text, not for users. */
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
