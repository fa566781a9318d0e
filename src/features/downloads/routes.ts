import type { HttpBindings } from '@hono/node-server'
import { create as contentDisposition } from 'content-disposition'
import { Hono, type Context } from 'hono'
import type { Services } from '../../services.ts'
import { clientIp } from '#platform/http/client-ip.ts'
import { sendStream } from '#platform/http/send-stream.ts'
import type { WithAuth } from '../accounts/auth.ts'
import type { FileFormat } from '../products/contract/file-formats.ts'
import { countSent, openDownload, type OpenedFile } from './downloads.ts'

const chunkBytes = 256 * 1024

const mediaTypes: Record<FileFormat, string> = {
  epub: 'application/epub+zip',
  pdf: 'application/pdf',
  mobi: 'application/x-mobipocket-ebook',
}

export function filesApi(services: Services & WithAuth) {
  const { storage, log } = services
  return new Hono<{ Bindings: HttpBindings }>().get('/files/:token', async (c) => {
    const file = await openDownload(services, c.req.param('token'), callerOf(c, services))
    const fileHeaders = headersOf(file)
    if (isUnchanged(file, c.req.header('if-none-match'))) return c.body(null, 304, fileHeaders)

    const range = wantedRange(file, c.req.header('range'), c.req.header('if-range'))
    if (range === 'unsatisfiable') return c.body(null, 416, { 'content-range': `bytes */${file.size}` })
    const status = range ? 206 : 200
    const headers = {
      ...fileHeaders,
      'content-length': String(range ? range.end - range.start + 1 : file.size),
      ...(range && { 'content-range': `bytes ${range.start}-${range.end}/${file.size}` }),
    }
    if (c.req.method === 'HEAD') return c.body(null, status, headers)
    const content = await storage.read(file.file_path, range, chunkBytes)
    const onEnd = (bytes: number) => countSent(services, file, bytes)
    return sendStream(c, log, { status, headers, content, name: 'a download', onEnd })
  })
}

export function callerOf(c: Context, { config }: Pick<Services, 'config'>) {
  return { ip: clientIp(c, config.trustedProxies), user_agent: c.req.header('user-agent')?.slice(0, 300) }
}

function headersOf({ etag, modified, file_name, file_format }: OpenedFile) {
  return {
    'content-type': mediaTypes[file_format],
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

function isUnchanged({ etag }: OpenedFile, ifNoneMatch = '') {
  const matches = new Set([etag, `W/${etag}`, '*'])
  return ifNoneMatch.split(',').some((tag) => matches.has(tag.trim()))
}

/** Undefined for the whole file, as RFC 9110 has it for several ranges, other units, and a changed file. */
function wantedRange({ size, etag, modified }: OpenedFile, header = '', ifRange: string | undefined) {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/i.exec(header) ?? []
  if (!first && !last) return undefined
  if (first && last && Number(last) < Number(first)) return undefined
  if (ifRange && ifRange !== etag && ifRange !== modified.toUTCString()) return undefined
  const start = first ? Number(first) : Math.max(0, size - Number(last))
  const end = first && last ? Math.min(Number(last), size - 1) : size - 1
  return start < size ? { start, end } : 'unsatisfiable'
}
