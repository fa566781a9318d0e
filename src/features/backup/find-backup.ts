// The backup that a restore is asked for: encrypted or not, whatever the keys of this machine are.
import { failureReason } from '#platform/failure-reason.ts'
import { openPlaceAt } from './backup-places.ts'
import { momentOf, type BackupStore } from './backup-store.ts'
import { canDecrypt, type EncryptionKeys } from './encryption.ts'
import type { Manifest } from './manifest.ts'

export type FoundBackup = { name: string; manifest: Manifest; store: BackupStore }

/**
 * The newest where none is named. Throws an Error in plain words where there is none, and where it cannot be decrypted:
 * an older one that is not encrypted is restored only when it is named.
 */
export async function findBackup(
  address: string,
  keys: EncryptionKeys,
  { source, wanted }: { source: string; wanted: string | undefined },
): Promise<FoundBackup> {
  const plain = openPlaceAt(address, {})
  const [plainNames, encryptedNames] = [await plain.list(), await plain.listOthers()]
  const [newest] = [...plainNames, ...encryptedNames].toSorted().toReversed()
  if (!newest) throw new Error(`There are no backups in ${source}.`)
  const name = wanted ?? newest
  if (plainNames.includes(name)) {
    const store = await plain.open()
    return { name, manifest: await store.read(name), store }
  }
  if (!encryptedNames.includes(name)) throw new Error(`There is no backup ${name} in ${source}.`)
  if (!canDecrypt(keys)) throw new Error(sayEncrypted(encryptedNames, otherChoice(plainNames)))
  const place = openPlaceAt(address, keys)
  const store = await place.open().catch((cause: unknown) => {
    throw new Error(sayEncrypted(encryptedNames, failureReason(cause)), { cause })
  })
  const manifest = await store.read(name).catch((cause: unknown) => {
    if (!isWrongKey(cause)) throw cause
    throw new Error(sayEncrypted(encryptedNames, 'The key that is set is another one.'), { cause })
  })
  return { name, manifest, store }
}

function sayEncrypted([newest = '', ...others]: readonly string[], more: string): string {
  const moment = momentOf(newest).replace(/^(.{10})T(.{5}).*$/, '$1 $2 UTC')
  const are = others.length === 0 ? '1 encrypted backup is' : `${others.length + 1} encrypted backups are`
  return `${are} here; set BACKUP_PASSPHRASE or BACKUP_IDENTITY (the newest is of ${moment}). ${more}`.trim()
}

function otherChoice([plain]: readonly string[]): string {
  return plain ? `Or name one that is not encrypted; the newest of them is ${plain}.` : ''
}

/** As the age format's library says it. */
const isWrongKey = (error: unknown) => /no identity matched/i.test(failureReason(error))
