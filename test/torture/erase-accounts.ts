// Erases all accounts that are due, as the hourly sweep does. Started by the scenario that kills it.
import { isNotNull } from 'drizzle-orm'
import { sweepErasures } from '#domains/privacy/erasure-sweep.ts'
import { erasures } from '#tables/accounts.ts'
import { createLog } from '#platform/log.ts'
import { readConfig } from '../../src/config.ts'
import { withDatabase } from './killed-command.ts'

const [dataDir = ''] = process.argv.slice(2)
const config = { ...readConfig(), dataDir }
await withDatabase(dataDir, async ({ db }) => {
  console.log('ready')
  const clock = () => new Date()
  while ((await db.$count(erasures, isNotNull(erasures.began_at))) > 0)
    await sweepErasures({ db, clock, config, log: createLog('error') })
})
