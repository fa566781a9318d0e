// GET /api/health: the process runs; with `nonce`, it proves that it is this shop's. GET /api/ready: it is not about to
// stop, reaches its database and the disk has room.
import { statfs } from 'node:fs/promises'
import { Hono } from 'hono'
import type { Config } from '../../config.ts'
import type { Database } from '../db/client.ts'
import type { Secrets } from '../secret.ts'
import { proveAddress } from './own-address.ts'
import { apiHeaders } from './response.ts'

/** Below this the disk counts as full: files are written in pieces, the database's in pages of 8 kB. */
const leastFreeBytes = 1024 * 1024

type HealthNeeds = {
  config: Pick<Config, 'dataDir'>
  database: Pick<Database, 'pool'>
  secrets: Pick<Secrets, 'inForce'>
  isStopping: () => boolean
}

export function healthApi({ config, database, secrets, isStopping }: HealthNeeds): Hono {
  return new Hono()
    .get('/health', (c) => {
      const nonce = c.req.query('nonce')
      const proof = nonce === undefined ? {} : { proof: proveAddress(secrets.inForce(), nonce) }
      return c.json({ status: 'ok', ...proof }, 200, apiHeaders)
    })
    .get('/ready', async (c) => {
      const fault = isStopping() ? 'the shop is stopping' : await findFault(config.dataDir, database)
      return c.json({ status: fault ?? 'ok' }, fault ? 503 : 200, apiHeaders)
    })
}

async function findFault(dataDir: string, { pool }: HealthNeeds['database']): Promise<string | undefined> {
  try {
    await pool.query('select 1')
  } catch {
    return 'the database is away'
  }
  return (await freeBytes(dataDir)) < leastFreeBytes ? 'the disk is full' : undefined
}

/** A folder that does not exist yet counts as having enough. */
async function freeBytes(folder: string): Promise<number> {
  const found = await statfs(folder).catch(() => undefined)
  return found ? found.bavail * found.bsize : Infinity
}
