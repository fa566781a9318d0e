// Is the process alive (GET /api/health); can it reach its database (GET /api/ready).
import type { IncomingMessage } from 'node:http'
import type { Services } from '../services.ts'
import type { Answer } from '../site/content.ts'
import { jsonAnswer } from './answer.ts'

const path = /^(?:https?:\/\/[^/]*)?\/api\/(health|ready)(?:\?|$)/

/** Undefined for all other requests. */
export function findHealth(
  { method, url = '' }: Pick<IncomingMessage, 'method' | 'url'>,
  { database }: Pick<Services, 'database'>,
): Promise<Answer> | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined
  const [, asked] = path.exec(url) ?? []
  if (!asked) return undefined
  if (asked === 'health') return Promise.resolve(status('ok'))
  return database.pool.query('select 1').then(
    () => status('ok'),
    () => status('the database is away', 503),
  )
}

function status(words: string, code?: number): Answer {
  return jsonAnswer(JSON.stringify({ status: words }), code)
}
