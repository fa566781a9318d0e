// Backups and rehearsals that the author of a running shop starts in the admin area.
import { setTimeout as sleep } from 'node:timers/promises'
import type { BackupRun, Backups } from '#contract/backup/backups.ts'
import type { Crowd } from './crowd.ts'

/** Resolves when it has ended. First waits for the end of one that the shop has begun by itself. */
export async function runByAuthor(crowd: Crowd, kind: 'backup' | 'rehearsal') {
  const started = newestOf(await askUntilOk(crowd, { kind }))
  for (;;) {
    await sleep(500)
    const run = (await askUntilOk(crowd)).runs.find(({ id }) => id === started.id)
    if (run?.finished_at) return { ...run, finished_at: run.finished_at }
    if (run?.state === 'lost') throw new Error(`The ${kind} was cut off.`)
  }
}

function newestOf({ runs: [newest] }: Backups): BackupRun {
  if (!newest) throw new Error('No run was started.')
  return newest
}

/** An access token that is too old is renewed for the next call. */
async function askUntilOk(crowd: Crowd, body?: object): Promise<Backups> {
  for (;;) {
    const response = await crowd.ask<Backups>(crowd.author, '/api/admin/backups', body)
    if (response.isOk) return response.body
    await sleep(500)
  }
}
