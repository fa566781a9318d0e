// The command `lectern backup`: makes a backup now and waits for its end.
import { startBackupRun } from '#domains/backup/run-backup.ts'
import { allJobs } from '../jobs.ts'
import { fail, openShell } from './shell.ts'

async function main(): Promise<void> {
  await using open = await openShell()
  const { services } = open
  await services.queue.start(allJobs(services))
  const run = await startBackupRun(services, { kind: 'backup', started_by: 'shell' })
  const result = await run.finished
  if (!result) throw new Error('The backup failed; the log and the admin area say why.')
  const { backup, orders, files, problems } = result
  const where = services
    .backupTargets()
    .map(({ label }) => label)
    .join(' and ')
  console.log(`${backup}: ${orders} orders, ${files} files${problems.length > 0 ? '' : `, in ${where}`}`)
  if (problems.length > 0) throw new Error(problems.join('\n'))
}

await main().catch(fail)
process.exit(0)
