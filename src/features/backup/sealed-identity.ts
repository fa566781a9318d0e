// The secret key of a place whose backups are protected by a passphrase: stored there, itself encrypted with it.
import { pathToFileURL } from 'node:url'
import { buffer } from 'node:stream/consumers'
import { openBoundedWorker } from '#platform/bounded-worker.ts'
import { ownFile } from '#platform/own-file.ts'
import type { Storage } from '#platform/storage.ts'

/** Without `sealed` a new identity is made. */
export type PassphraseTask = { passphrase: string; sealed?: Uint8Array | undefined }

/** `sealed` is the identity, encrypted with the passphrase. */
export type SealedIdentity = { identity: string; sealed: Uint8Array }

const keyFile = 'key.age'
const limits = { threads: 1, maxQueued: 0, taskMs: 60_000, memoryMb: 64 }

/**
 * One key for all objects of a place: deriving one from a passphrase takes a second. The function returned reads the key
 * file at each call, and derives only when that has changed. It throws an Error in plain words where the passphrase does
 * not fit.
 */
export function createIdentityReader(storage: Storage, passphrase: string): () => Promise<string> {
  let last: SealedIdentity | undefined
  return async () => {
    const isThere = await storage.stat(keyFile)
    const sealed = isThere && (await buffer(await storage.read(keyFile)))
    if (!sealed || !last || !sealed.equals(last.sealed)) {
      if (!sealed) await refuseBesideBackups(storage)
      const found = await derive({ passphrase, sealed })
      if (!sealed) await storage.write(keyFile, found.sealed)
      last = found
    }
    return last.identity
  }
}

/** A new key would not open them, though the passphrase fits. */
async function refuseBesideBackups(storage: Storage): Promise<void> {
  for await (const path of storage.list('backups/'))
    if (path.endsWith('.age'))
      throw new Error(
        'There are encrypted backups here, but not the file key.age that opens them with BACKUP_PASSPHRASE: put that file back, or set BACKUP_URL to a new folder.',
      )
}

async function derive(task: PassphraseTask): Promise<SealedIdentity> {
  const script = pathToFileURL(ownFile('#features/backup/passphrase-thread.ts'))
  const worker = openBoundedWorker<PassphraseTask, SealedIdentity | undefined>(script, limits)
  try {
    const found = await worker.run(task)
    if (found) return found
    throw new Error(
      'BACKUP_PASSPHRASE is not the one that these backups were made with, or the file key.age beside them is damaged.',
    )
  } finally {
    await worker.close()
  }
}
