import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context } from 'hono'
import type { Log } from '../log.ts'

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
