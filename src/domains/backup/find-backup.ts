// The backup that a restore is asked for: its place by its address, its name, and the key that opens it.
import type { BucketAccess } from '#platform/bucket-client.ts'
import type { Storage } from '#platform/storage.ts'
import { failureReason } from '#platform/errors.ts'
import { type BackupStore, momentOf } from './backup-store.ts'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { openPlaceAt } from './backup-targets.ts'

export type FoundBackup = Awaited<ReturnType<typeof readBackup>> & { storage: Storage }

export function addressOf(source: string): string {
  if (/^s3:/i.test(source)) return source
  if (/^file:/i.test(source)) {
    if (!/^file:\/\/\//i.test(source))
      throw new Error(
        `${source} is no folder: an address of one begins with file:/// and has its whole path.`,
      )
    return requireFolder(source, source)
  }
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(source))
    throw new Error(`${source} is neither a folder nor an address that begins with s3:// or file:///.`)
  return requireFolder(pathToFileURL(resolve(source)).href, source)
}

function requireFolder(address: string, source: string): string {
  if (existsSync(fileURLToPath(address))) return address
  throw new Error(`There is no folder ${source}. Is its disk mounted?`)
}

/** A restore takes an older backup that is not encrypted only by its name. */
export async function findBackup(
  address: string,
  passphrase: string | undefined,
  { source, wanted, access }: { source: string; wanted: string | undefined; access?: BucketAccess },
): Promise<FoundBackup> {
  const plain = openPlaceAt(address, { access })
  const [plainNames, encryptedNames] = [await plain.list(), await plain.listOthers()]
  const names = [...new Set([...plainNames, ...encryptedNames])].toSorted().toReversed()
  const [newest] = names
  if (!newest)
    throw new Error(
      `There are no backups in ${source}: name the place that has the folders backups and objects.`,
    )
  const name = wanted ?? newest
  if (!names.includes(name))
    throw new Error(`There is no backup ${name} in ${source}. There are: ${names.join(', ')}.`)
  const others = names.filter((each) => each !== name)
  const { storage } = plain
  if (plainNames.includes(name)) return { ...(await readBackup(await plain.open(), name, others)), storage }
  if (!passphrase) throw new Error(describeEncrypted(encryptedNames, otherChoice(plainNames)))
  const store = await openPlaceAt(address, { passphrase, access })
    .open()
    .catch((cause: unknown) => {
      throw new Error(describeEncrypted(encryptedNames, failureReason(cause)), { cause })
    })
  return { ...(await readBackup(store, name, others)), storage }
}

async function readBackup(store: BackupStore, name: string, others: string[]) {
  try {
    return { name, manifest: await store.read(name), store, others }
  } catch (cause) {
    const more = others.length > 0 ? ` Restore another one by its name: ${others.join(', ')}.` : ''
    throw new Error(`${failureReason(cause)}. Nothing was changed.${more}`, { cause })
  }
}

function describeEncrypted([newest = '', ...others]: readonly string[], more: string): string {
  const moment = momentOf(newest).replace(/^(.{10})T(.{5}).*$/, '$1 $2 UTC')
  const are = others.length === 0 ? '1 encrypted backup is' : `${others.length + 1} encrypted backups are`
  return `${are} here; set BACKUP_PASSPHRASE (the newest is of ${moment}). ${more}`.trim()
}

function otherChoice([plain]: readonly string[]): string {
  return plain ? `Or name one that is not encrypted; the newest of them is ${plain}.` : ''
}
