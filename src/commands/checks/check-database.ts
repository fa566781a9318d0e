import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { listShopFiles } from '#domains/operations/backup-tables.ts'
import { databaseAhead } from '#platform/clock-watch.ts'
import type { Database } from '#platform/db/client.ts'
import {
  compareSchema,
  mayCreateTables,
  missingRights,
  readServerVersion,
  tooOld,
} from '#platform/db/migrate.ts'
import type { Storage } from '#platform/storage.ts'
import type { Config } from '../../config.ts'
import { ok, warn, wrong, type Verdict } from './finding.ts'

const maxNames = 10
const maxAheadMs = 5 * 60_000

export function requireData({ dataDir, databaseUrl }: Config): void {
  if (!databaseUrl && !existsSync(join(dataDir, 'postgres/cluster')))
    throw new Error(`there is none in ${dataDir} yet; \`lectern start\` makes it`)
}

export async function checkServer({ pool }: Database): Promise<Verdict> {
  const { version, isTooOld } = await readServerVersion(pool)
  if (isTooOld) return wrong(`PostgreSQL ${version} is too old`, 'Lectern needs 15 or newer.')
  if (!(await mayCreateTables(pool))) return wrong(missingRights, '')
  return ok(`PostgreSQL ${version} is reachable`)
}

export async function checkSchema({ pool }: Database): Promise<Verdict> {
  const schema = await compareSchema(pool)
  if (schema === 'newer')
    return wrong(
      'the data are of a newer version of Lectern: use that one',
      'Or restore a backup of this one.',
    )
  if (schema === 'too_old') return wrong(tooOld, '')
  if (schema === 'same') return ok('the data are of this version')
  return ok('the next start brings the data to this version')
}

export async function checkFiles(storage: Storage, { pool }: Database): Promise<Verdict> {
  if ((await compareSchema(pool)) === 'none') return ok('there are none yet')
  const files = await listShopFiles(pool)
  const missing: string[] = []
  for (const { name } of files) if (!(await storage.stat(name))) missing.push(name)
  if (missing.length === 0) return ok(`all ${files.length} are present`)
  const shown = missing.slice(0, maxNames).join(', ')
  const more = missing.length > maxNames ? ` and ${missing.length - maxNames} more` : ''
  return wrong(
    `${missing.length} of ${files.length} are missing: ${shown}${more}`,
    'Restore them from a backup, or upload these ebooks again.',
  )
}

export async function checkClock(database: Database, time_zone: string): Promise<Verdict> {
  const aheadMs = await databaseAhead(database, () => new Date())
  const time = new Date().toLocaleTimeString('sv-SE', {
    timeZone: time_zone,
    hour: '2-digit',
    minute: '2-digit',
  })
  const says = `it is ${time} in ${time_zone}`
  if (Math.abs(aheadMs) <= maxAheadMs) return ok(says)
  const minutes = Math.round(aheadMs / 60_000)
  return warn(`${says}, and the database's clock differs by ${minutes} minutes`, 'Set both by NTP.')
}
