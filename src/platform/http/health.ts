// Is the process alive (GET /api/health); can it reach its database and store anything (GET /api/ready).
import { statfs } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import type { Config } from '../../config.ts'
import type { Database } from '../db/client.ts'
import type { Answer } from './content.ts'
import { jsonResponse } from './response.ts'

/** Below this the disk counts as full: files are written in pieces, the database's in pages of 8 kB. */
const leastFreeBytes = 1024 * 1024

const path = /^(?:https?:\/\/[^/]*)?\/api\/(health|ready)(?:\?|$)/

/** Undefined for all other requests. */
export function findHealth(
  { method, url = '' }: Pick<IncomingMessage, 'method' | 'url'>,
  { config, database }: { config: Pick<Config, 'dataDir'>; database: Database },
): Promise<Answer> | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined
  const [, asked] = path.exec(url) ?? []
  if (!asked) return undefined
  if (asked === 'health') return Promise.resolve(status('ok'))
  return findReadiness(config.dataDir, database)
}

async function findReadiness(dataDir: string, { pool }: Database): Promise<Answer> {
  const isAnswering = await pool.query('select 1').then(
    () => true,
    () => false,
  )
  if (!isAnswering) return status('the database is away', 503)
  return (await freeBytes(dataDir)) < leastFreeBytes ? status('the disk is full', 503) : status('ok')
}

/** Unknown, as where nothing was ever stored, counts as enough. */
async function freeBytes(folder: string): Promise<number> {
  const found = await statfs(folder).catch(() => undefined)
  return found ? found.bavail * found.bsize : Infinity
}

function status(words: string, code?: number): Answer {
  return jsonResponse(JSON.stringify({ status: words }), code)
}
