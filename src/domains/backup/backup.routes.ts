// The routes of backups, for the admin area.
import { accepted, body, createApi, ok, route, actorOf } from '#platform/http/route.ts'
import { recordAuditEvent } from '#platform/audit-log.ts'
import { listRebuilt } from '#domains/payments/reconcile.ts'
import { listRuns } from './backup-runs.ts'
import { readBackupStates, type BackupState } from './backup-states.ts'
import { momentOf } from './backup-store.ts'
import type { BackupTarget } from './backup-targets.ts'
import { backupCopy, backupRequest, backups, copyRequest, type Backups } from '#contract/backup/backups.ts'
import { passphraseConfirmation, passphraseOffer, passphraseRequest } from '#contract/backup/passphrase.ts'
import { placeTest } from '#contract/backup/second-place.ts'
import { z } from '@hono/zod-openapi'
import type { HttpBindings } from '@hono/node-server'
import { create as contentDisposition } from 'content-disposition'
import { Hono } from 'hono'
import { limitPerAccount } from '#platform/http/rate-limits.ts'
import { sendStream } from '#platform/http/sent-file.ts'
import { openCopy, prepareCopy, sizeOfNewest } from './backup-copy.ts'
import { confirmPassphrase, offerPassphrase } from './passphrase.ts'
import { tryPlace } from './target-trial.ts'
import { readHourly } from './hourly-copies.ts'
import { describeSettings } from '#domains/settings/settings.ts'
import { startBackupRun } from './run-backup.ts'
import type { BackupShop } from './shop.ts'

export type BackupsApi = ReturnType<typeof backupsApi>

export function backupsApi(services: BackupShop) {
  const limitOf = (name: string, limit: number) =>
    limitPerAccount(services, name, { limit, windowSeconds: 3600 })
  return createApi()
    .openapi(
      route('get', '/backups', { returns: ok(backups, 'Places with their backups, and the newest runs') }),
      async (c) => c.json(await readBackups(services), 200),
    )
    .openapi(
      route('post', '/backups', {
        ...body(backupRequest),
        middleware: limitOf('backup runs', 10),
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
    .openapi(
      route('post', '/backups/try', {
        ...body(z.strictObject({})),
        middleware: limitOf('backup tries', 30),
        returns: ok(placeTest, 'What came of writing, listing, reading and removing an object'),
      }),
      async (c) => c.json(await tryPlace(services, actorOf(c, services)), 200),
    )
    .openapi(
      route('post', '/backups/passphrase', {
        ...body(passphraseRequest),
        middleware: limitOf('passphrases', 20),
        returns: ok(passphraseOffer, 'A passphrase that counts once it was entered again'),
      }),
      async (c) => {
        await services.auth.requireRecentProof(c, c.req.valid('json').current_password)
        return c.json(offerPassphrase(services, { user_id: c.var.user.id }), 200)
      },
    )
    .openapi(
      route('put', '/backups/passphrase', {
        ...body(passphraseConfirmation),
        middleware: limitOf('passphrase entries', 60),
        returns: ok(backups, 'The passphrase counts from now on'),
      }),
      async (c) => {
        const { current_password, ...confirmation } = c.req.valid('json')
        await services.auth.requireRecentProof(c, current_password)
        const { id: user_id } = c.var.user
        await confirmPassphrase(services, actorOf(c, services), { ...confirmation, user_id })
        return c.json(await readBackups(services), 200)
      },
    )
    .openapi(
      route('post', '/backups/copies', {
        ...body(copyRequest),
        middleware: limitOf('backup copies', 10),
        returns: ok(backupCopy, 'The copy is made, and has a link for one download'),
      }),
      async (c) => {
        await services.auth.requireRecentProof(c, c.req.valid('json').current_password)
        const { id: user_id, session_id } = c.var.user
        const by = { actor: actorOf(c, services), holder: { user_id, session_id } }
        return c.json(await prepareCopy(services, by), 200)
      },
    )
}

/** The link itself is the permission, once, as long as the session and the role of the admin who asked for it last. */
export function backupCopiesApi(services: BackupShop) {
  return new Hono<{ Bindings: HttpBindings }>().get('/backup-copies/:token', async (c) => {
    const isHead = c.req.method === 'HEAD'
    const copy = await openCopy(services, c.req.param('token'), { isHead })
    const headers = {
      'content-type': 'application/octet-stream',
      'content-disposition': contentDisposition(copy.file_name),
      'cache-control': 'no-store, no-transform',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
    }
    if (!('content' in copy)) return c.body(null, 200, headers)
    const { size, content } = copy
    const sized = { ...headers, 'content-length': String(size) }
    return sendStream(c, services.log, { status: 200, headers: sized, content, name: 'a copy of the shop' })
  })
}

/** The runs are read first: one that ended by then has its backup in the list, and one that goes on is asked for again. */
async function readBackups(services: BackupShop): Promise<Backups> {
  const runs = await listRuns(services)
  const states = await readBackupStates(services.db)
  const places = await Promise.all(
    services.backupTargets().map((place) => readPlace(services, place, states)),
  )
  return {
    places,
    passphrase: await readPassphraseState(services),
    size: await sizeOfNewest(services),
    runs,
    rebuilt: await listRebuilt(services),
  }
}

async function readPassphraseState(services: BackupShop): Promise<Backups['passphrase']> {
  const none = { set_at: null, set_by: null }
  if (services.config.backup.passphrase) return { state: 'variable', ...none }
  const { secrets } = await describeSettings(services, 'backups')
  const stored = secrets['passphrase']
  if (!stored) return { state: 'none', ...none }
  const { is_readable, set_at, set_by } = stored
  return { state: is_readable ? 'stored' : 'unreadable', set_at, set_by }
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
  services: BackupShop,
  place: BackupTarget,
  states: readonly BackupState[],
): Promise<Backups['places'][number]> {
  const { label, isOwn: is_own, isByScreen: is_by_screen, isSameDisk, isEncrypted, list, listOthers } = place
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
    is_own,
    is_by_screen,
    is_same_disk,
    hourly: (await readHourly(services, place)) ?? null,
    is_encrypted: isEncrypted,
    backups: listed,
    others: others.length,
  }
}

function problemOf(state: BackupState | undefined) {
  if (!state?.failing_since) return null
  return { since: state.failing_since.toISOString(), text: state.problem ?? '' }
}
