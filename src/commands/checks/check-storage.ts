import { randomBytes, randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { refuseForeignTarget, type BackupTarget } from '#domains/operations/backup-targets.ts'
import { readBackupStates, type BackupState } from '#domains/operations/backup-runs.ts'
import { momentOf } from '#domains/operations/backup-store.ts'
import type { Db } from '#platform/db/client.ts'
import { failureReason } from '#platform/errors.ts'
import { incomingFolder } from '#platform/open-storage.ts'
import type { Storage } from '#platform/storage.ts'
import { ok, warn, wrong, type Verdict } from './finding.ts'

const dayMs = 86_400_000
const maxBackupDays = 2
const maxRehearsalDays = 22

/** A killed process may leave the object, which goes with the next backup. */
export async function checkWriting(storage: Storage, setting: string): Promise<Verdict> {
  const name = `${incomingFolder}check-${randomUUID()}`
  const content = randomBytes(1024)
  try {
    await storage.write(name, content)
    const read = await buffer(await storage.read(name))
    if (!read.equals(content)) return wrong('what was read is not what was written', `Look at ${setting}.`)
  } catch (error) {
    return wrong(failureReason(error), `Look at ${setting}, and at the rights of its user there.`)
  }
  try {
    await storage.remove(name)
    return ok('an object was written, read and removed')
  } catch (error) {
    return warn(
      `nothing can be removed there: ${failureReason(error)}`,
      'Let its user remove objects, or old ones stay for ever.',
    )
  }
}

type BackupCheck = { db: Db | undefined; now: Date; mayBeElsewhere: boolean }

export async function checkBackups(
  place: BackupTarget,
  { db, now, mayBeElsewhere }: BackupCheck,
): Promise<Verdict> {
  if (db) await refuseForeignTarget(db, place)
  const [newest] = await place.list()
  const advice = 'Make one with `lectern backup`, and look at its message.'
  if (!newest) return warn(`there is no backup in ${place.label}`, advice)
  await place.open()
  const days = (now.getTime() - Date.parse(momentOf(newest))) / dayMs
  const { problem } = (db && (await readState(db, place, 'backup'))) ?? {}
  const age = `the newest in ${place.label} is ${ageOf(days)} old`
  const says = problem ? `${problem} (${age})` : age
  if (days <= maxBackupDays && !problem) return ok(says)
  return mayBeElsewhere ? warn(says, advice) : wrong(says, advice)
}

async function readState(db: Db, { label }: BackupTarget, kind: BackupState['kind']) {
  const states = await readBackupStates(db, [label])
  return states.find((state) => state.kind === kind)
}

export async function checkRehearsal(db: Db, place: BackupTarget): Promise<Verdict> {
  const { label } = place
  const last = await readState(db, place, 'rehearsal')
  const advice = 'Rehearse one under Backups in the admin area: that tries a restore.'
  const [problem] = last?.problem?.split('\n') ?? []
  if (problem) return warn(`the last one from ${label} found: ${problem}`, advice)
  if (!last?.succeeded_at) return warn(`no restore from ${label} was tried yet`, advice)
  const days = (last.age_seconds * 1000) / dayMs
  const says = `a restore from ${label} was tried ${ageOf(days)} ago`
  return days > maxRehearsalDays ? warn(says, advice) : ok(says)
}

export async function checkDistance(places: readonly BackupTarget[]): Promise<Verdict> {
  const [, other] = places
  if (!other)
    return warn(
      'all backups are on the disk of the shop',
      'Set BACKUP_URL to another disk or a bucket, and BACKUP_PASSPHRASE.',
    )
  if (await other.isSameDisk())
    return warn(
      `${other.label} is on the disk of the shop`,
      'Mount another disk there, or name another place.',
    )
  return ok(`${other.label} is on another disk than the shop`)
}

function ageOf(days: number): string {
  const hours = Math.max(0, Math.round(days * 24))
  return hours < 48 ? `${hours} hours` : `${Math.floor(days)} days`
}
