// A shop without pages, in a process of its own, from its sources: `DATABASE_URL`, `PORT`, `DATA_DIR` as for any shop.
import { createLog } from '#platform/log.ts'
import { readConfig } from '../src/config.ts'
import { startShop } from '../src/start-shop.ts'
import { withoutPages } from './without-pages.ts'

const config = readConfig()
if (!config.databaseUrl) throw new Error('there is no DATABASE_URL')
await startShop(config, {
  log: createLog(config.logLevel),
  databaseUrl: config.databaseUrl,
  openPages: withoutPages,
})
