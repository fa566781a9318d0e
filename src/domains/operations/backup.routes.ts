import { accepted, body, createApi, ok, route, actorOf } from '#platform/http/route.ts'
import { recordAuditEvent } from '#platform/audit-log.ts'
import { listRebuilt } from '#domains/payments/reconcile.ts'
import { listRuns, readBackupStates, type BackupState } from './backup-runs.ts'
import { momentOf } from './backup-store.ts'
import type { BackupTarget } from './backup-targets.ts'
import { backupRequest, backups, type Backups } from '#contract/operations/backups.ts'
import { startBackupRun } from './run-backup.ts'
import type { OperationsShop } from './shop.ts'

export type BackupsApi = ReturnType<typeof backupsApi>

export function backupsApi(services: OperationsShop) {
  return createApi()
    .openapi(
      route('get', '/backups', { returns: ok(backups, 'Places with their backups, and the newest runs') }),
      async (c) => c.json(await readBackups(services), 200),
    )
    .openapi(
      route('post', '/backups', {
        ...body(backupRequest),
        returns: accepted(backups, 'The run has started'),
      }),
      async (c) => {
        const { kind } = c.req.valid('json')
        const actor = actorOf(c, services)
        await startBackupRun(services, { kind, started_by: actor.email })
        await recordAuditEvent(services.db, actor, { action: `backups.${kind}`, subject: kind })
        return c.json(await readBackups(services), 202)
      },
    )
}

async function readBackups(services: OperationsShop): Promise<Backups> {
  const states = await readBackupStates(services.db)
  const places = await Promise.all(services.backupTargets.map((place) => readPlace(place, states)))
  return { places, runs: await listRuns(services), rebuilt: await listRebuilt(services) }
}

/** A bucket is retried for longer than a user waits. */
const timeoutMs = 5_000

async function inTime<T>(find: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(timeoutMs)
  const { promise: late, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => reject(new Error('The place of backups does not respond.')))
  return Promise.race([find(signal), late])
}

async function readPlace(
  { label, isSameDisk, isEncrypted, list, listOthers }: BackupTarget,
  states: readonly BackupState[],
): Promise<Backups['places'][number]> {
  const [is_same_disk, names, others] = await Promise.all([
    inTime(isSameDisk).catch(() => false),
    inTime(list).catch(() => null),
    inTime(listOthers).catch(() => []),
  ])
  const listed = names?.map((name) => ({ name, created_at: momentOf(name) })) ?? null
  const stateOf = (kind: BackupState['kind']) =>
    states.find((state) => state.place === label && state.kind === kind)
  return {
    label,
    backup_problem: problemOf(stateOf('backup')),
    rehearsal_problem: problemOf(stateOf('rehearsal')),
    rehearsed_at: stateOf('rehearsal')?.succeeded_at?.toISOString() ?? null,
    is_same_disk,
    is_encrypted: isEncrypted,
    backups: listed,
    others: others.length,
  }
}

function problemOf(state: BackupState | undefined) {
  if (!state?.failing_since) return null
  return { since: state.failing_since.toISOString(), text: state.problem ?? '' }
}
