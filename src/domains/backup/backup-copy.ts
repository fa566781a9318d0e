// A copy of the shop as one file, for an admin to download: a backup that is made for it, encrypted, with the shop's secret.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { BackupCopy } from '#contract/backup/backups.ts'
import { recordAuditEvent, type Actor } from '#platform/audit-log.ts'
import { dayIn } from '#platform/db/query.ts'
import { consumeLimit } from '#platform/http/rate-limits.ts'
import { platformProblem } from '#platform/problem.ts'
import { linkSeconds, readLink, writeLink, type LinkHolder } from '#platform/signed-links.ts'
import { sendBackupNotice } from './backup-notices.ts'
import { momentOf } from './backup-store.ts'
import { openCopyTar } from './copy-tar.ts'
import { objectsWithSizes } from './object-damage.ts'
import { startBackupRun } from './run-backup.ts'
import { type BackupShop, backupProblem } from './shop.ts'

const claim = z.object({ backup: z.string(), once: z.uuid() })

/** Makes a backup in the shop's own folder, and waits for its end. All admins are told before there is a link. */
export async function prepareCopy(
  services: BackupShop,
  { actor, holder }: { actor: Actor; holder: LinkHolder },
): Promise<BackupCopy> {
  const { db, settings } = services
  if (!settings.get().backups.passphrase) throw backupProblem('backups.no_passphrase')
  const [own] = services.backupTargets()
  const places = [own.label]
  const run = await startBackupRun(services, { kind: 'backup', started_by: actor.email, places })
  const backup = (await run.finished)?.backup
  if (!backup) throw backupProblem('backups.failed')
  const { size } = await readOwn(services, backup)
  await db.transaction(async (tx) => {
    await recordAuditEvent(tx, actor, { action: 'backups.downloaded', subject: momentOf(backup) })
    await sendBackupNotice(tx, services, { notice: 'download', admin: actor.email })
  })
  const token = writeLink(services, 'copies', holder, { backup, once: randomUUID() })
  return { url: `/api/backup-copies/${token}`, size, created_at: momentOf(backup) }
}

async function readOwn({ backupTargets }: BackupShop, backup: string) {
  const store = await backupTargets()[0].open()
  const manifest = await store.read(backup)
  return { store, manifest, size: objectsWithSizes(manifest).reduce((sum, { size }) => sum + size, 0) }
}

/** Returns bytes; null where the shop's own folder has no backup that can be read. */
export async function sizeOfNewest(services: BackupShop): Promise<number | null> {
  try {
    const [newest] = await services.backupTargets()[0].list()
    return newest ? (await readOwn(services, newest)).size : null
  } catch {
    return null
  }
}

/** A link serves one download: once followed it is of no use any more, even where the download broke off. */
export async function openCopy(services: BackupShop, token: string, { isHead }: { isHead: boolean }) {
  const { db, settings } = services
  const { content: wanted, holder } = await readLink(services, 'copies', token, claim)
  if (!holder.is_admin) throw platformProblem('access.forbidden')
  const { passphrase } = settings.get().backups
  if (!passphrase) throw backupProblem('backups.no_passphrase')
  const file_name = copyName(services, wanted.backup)
  if (isHead) return { file_name }
  // Twice the life of the link: the row is there for as long.
  const use = { limit: 1, windowSeconds: 2 * linkSeconds.copies }
  if (!(await consumeLimit(db, `copy:${wanted.once}`, use)).allowed)
    throw platformProblem('downloads.link_expired')
  const { store, manifest } = await readOwn(services, wanted.backup)
  const copy = await openCopyTar(store, { ...manifest, secret: services.secret.text }, passphrase)
  return { file_name, ...copy }
}

function copyName({ settings }: BackupShop, backup: string): string {
  const { site_url, time_zone } = settings.get().shop
  const day = dayIn(time_zone, new Date(momentOf(backup)))
  return `lectern-${new URL(site_url).hostname.replaceAll(/[^a-z\d.-]/gi, '')}-${day}.tar`
}
