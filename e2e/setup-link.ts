// The command that prints the link of a shop without an admin.
import { join } from 'node:path'
import { startProcess } from '#test/start-process.ts'
import type { Shop } from './open-shop.ts'

export function printSetupLink({ url, dataDir, databaseUrl }: Shop) {
  const env = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, SITE_URL: url, NODE_ENV: 'production' }
  const args = [join(import.meta.dirname, '../tools/start.ts'), 'admin', 'setup-link']
  return startProcess(process.execPath, args, { env }).ended
}
