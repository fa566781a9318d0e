// A stored file as a response: whole, in part, or unchanged.
import type { Context } from 'hono'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Log } from '../log.ts'
import { create as contentDisposition } from 'content-disposition'
import type { Storage, StoredFile } from '../storage.ts'

type Transfer = {
  status: 200 | 206
  headers: Record<string, string>
  content: Readable
  name: string
  /** Once it has ended or broken off, with how many bytes were handed over. */
  onEnd?: (bytes: number) => Promise<void>
}

export function sendStream(
  c: Context<{ Bindings: HttpBindings }>,
  log: Log,
  { status, headers, content, name, onEnd }: Transfer,
): Response {
  const { outgoing } = c.env
  outgoing.writeHead(status, headers)
  let bytes = 0
  content.on('data', (chunk: Buffer) => (bytes += chunk.length))
  pipeline(content, outgoing)
    .catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') log.error({ err: error }, `${name} broke off`)
    })
    .then(() => onEnd?.(Math.max(0, bytes - outgoing.writableLength)))
    .catch((error: unknown) => log.error({ err: error }, `the end of ${name} could not be saved`))
  return RESPONSE_ALREADY_SENT
}

const chunkBytes = 256 * 1024

type SentFile = StoredFile & { file_path: string; file_name: string; media_type: string }

export async function sendFile(
  { storage, log }: { storage: Storage; log: Log },
  c: Context<{ Bindings: HttpBindings }>,
  file: SentFile,
  onEnd?: (bytes: number) => Promise<void>,
) {
  const fileHeaders = headersOf(file)
  if (isUnchanged(file, c.req.header('if-none-match'))) return c.body(null, 304, fileHeaders)

  const range = requestedRange(file, c.req.header('range'), c.req.header('if-range'))
  if (range === 'unsatisfiable') return c.body(null, 416, { 'content-range': `bytes */${file.size}` })
  const status = range ? 206 : 200
  const headers = {
    ...fileHeaders,
    'content-length': String(range ? range.end - range.start + 1 : file.size),
    ...(range && { 'content-range': `bytes ${range.start}-${range.end}/${file.size}` }),
  }
  if (c.req.method === 'HEAD') return c.body(null, status, headers)
  const content = await storage.read(file.file_path, range, chunkBytes)
  return sendStream(c, log, { status, headers, content, name: 'a download', ...(onEnd && { onEnd }) })
}

function headersOf({ etag, modified, file_name, media_type }: SentFile) {
  return {
    'content-type': media_type,
    'content-disposition': contentDisposition(file_name),
    'cache-control': 'private, no-cache, no-transform',
    'accept-ranges': 'bytes',
    etag,
    'last-modified': modified.toUTCString(),
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
  }
}

function isUnchanged({ etag }: SentFile, ifNoneMatch = '') {
  const matches = new Set([etag, `W/${etag}`, '*'])
  return ifNoneMatch.split(',').some((tag) => matches.has(tag.trim()))
}

/** Undefined for the whole file, as RFC 9110 has it for several ranges, other units, and a changed file. */
function requestedRange({ size, etag, modified }: SentFile, header = '', ifRange: string | undefined) {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/i.exec(header) ?? []
  if (!first && !last) return undefined
  if (first && last && Number(last) < Number(first)) return undefined
  if (ifRange && ifRange !== etag && ifRange !== modified.toUTCString()) return undefined
  const start = first ? Number(first) : Math.max(0, size - Number(last))
  const end = first && last ? Math.min(Number(last), size - 1) : size - 1
  return start < size ? { start, end } : 'unsatisfiable'
}
