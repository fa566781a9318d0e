import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context } from 'hono'
import type { Log } from '../log.ts'

type Transfer = { status: 200 | 206; headers: Record<string, string>; content: Readable; name: string }

export function sendStream(
  c: Context<{ Bindings: HttpBindings }>,
  log: Log,
  { status, headers, content, name }: Transfer,
): Response {
  const { outgoing } = c.env
  outgoing.writeHead(status, headers)
  pipeline(content, outgoing).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') log.error({ err: error }, `${name} broke off`)
  })
  return RESPONSE_ALREADY_SENT
}
