// The checks of the backups at each place: the age of the newest, the last rehearsal, and whether a disk that dies leaves one.
import { dayMs } from '#contract/durations.ts'
import { ok, warn, wrong, type Verdict } from '#contract/checks.ts'
import type { Db } from '#platform/db/client.ts'
import { readBackupStates, type BackupState } from './backup-states.ts'
import { momentOf } from './backup-store.ts'
import type { BackupTarget } from './backup-targets.ts'
import { refuseForeignTarget } from './foreign-target.ts'

const maxBackupDays = 2
/** Two places are rehearsed in turn, one each week. */
const maxRehearsalDays = 14

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
  return rehearsalVerdict(place.label, await readState(db, place, 'rehearsal'))
}

function rehearsalVerdict(place: string, last: BackupState | undefined): Verdict {
  const advice =
    'Rehearse one under Backups in the admin area: only that shows that a backup can be restored.'
  const [problem] = last?.problem?.split('\n') ?? []
  if (problem) return warn(`the last one from ${place} found: ${problem}`, advice)
  if (!last?.succeeded_at) return warn(`no restore from ${place} was tried yet`, advice)
  const days = (last.age_seconds * 1000) / dayMs
  const says = `a restore from ${place} was tried ${ageOf(days)} ago`
  return days > maxRehearsalDays ? warn(says, advice) : ok(says)
}

/** A place that is new has time for its first. */
export async function listUnrehearsed(db: Db): Promise<{ place: string; check: Verdict }[]> {
  const states = await readBackupStates(db)
  return states
    .filter(({ kind, failing_since }) => kind === 'rehearsal' && failing_since === null)
    .filter(({ age_seconds }) => age_seconds * 1000 > maxRehearsalDays * dayMs)
    .map((state) => ({ place: state.place, check: rehearsalVerdict(state.place, state) }))
}

export async function checkDistance(places: readonly BackupTarget[]): Promise<Verdict> {
  const [, other] = places
  if (!other)
    return warn(
      'all backups are on the disk of the shop',
      'Enter a bucket under Backups in the admin area, or set BACKUP_URL and BACKUP_PASSPHRASE.',
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
