// The key of an encrypted place: its file key.age holds it, sealed with the passphrase.
import { buffer } from 'node:stream/consumers'
import { openBoundedWorker } from '#platform/bounded-worker.ts'
import type { Storage } from '#platform/storage.ts'
import { backupThread, type Encryption, openEncryption } from './encryption.ts'

export type Passphrases = {
  passphrase?: string | undefined
  /** Those before it, the newest first: a key that one of them opens is sealed anew. */
  formerPassphrases?: readonly string[]
}

export const keyFile = 'key.age'

/** `identity` is what age calls a secret key. */
export type PlaceKey = { identity: string; sealed: Uint8Array }

export type SealedKeyTask = { passphrase: string; sealed: Uint8Array }
/** Seals `identity`, or else a new one. */
export type NewKeyTask = { passphrase: string; identity?: string }

export class WrongPassphrase extends Error {}

/** Deriving a key from a passphrase takes a second: one key serves a place, and is derived again only when its file changes. */
export function createEncryptionReader(
  storage: Storage,
  passphrase: string,
  formerPassphrases: readonly string[] = [],
): () => Promise<Encryption> {
  let last: { sealed: Uint8Array; encryption: Encryption } | undefined
  return async () => {
    const sealed = await readSealed(storage)
    if (last && sealed?.equals(last.sealed)) return last.encryption
    if (!sealed) await refuseBesideBackups(storage)
    const key = sealed ? await openKey(sealed, [passphrase, ...formerPassphrases]) : await makeKey(passphrase)
    if (key.sealed !== sealed) await storage.write(keyFile, key.sealed)
    last = { sealed: key.sealed, encryption: await openEncryption(key.identity) }
    return last.encryption
  }
}

/** The key file of a shop has some 270 bytes. */
const maxKeyBytes = 1024
/** Each step doubles the memory: age itself writes 18, which takes 256 MB. */
const maxWorkFactor = 18

const sealedKey = /^age-encryption\.org\/v1\n-> scrypt [\w+/]{22} (\d{1,2})\n/

/** It may come from anybody: what would take more work than that of a shop is refused. */
async function readSealed(storage: Storage): Promise<Buffer | undefined> {
  const stored = await storage.stat(keyFile)
  if (!stored) return undefined
  const sealed = stored.size > maxKeyBytes ? undefined : await buffer(await storage.read(keyFile))
  const [, workFactor] = sealedKey.exec(sealed?.toString('latin1') ?? '') ?? []
  if (sealed && workFactor !== undefined && Number(workFactor) <= maxWorkFactor) return sealed
  throw new Error('The file key.age beside these backups is damaged, or none that a shop has made.')
}

/** Sealed anew with the first passphrase where another one opens it: the backups that are there then need the first. */
async function openKey(
  sealed: Uint8Array,
  [passphrase, ...former]: readonly [string, ...string[]],
): Promise<PlaceKey> {
  const own = await runInThread({ passphrase, sealed })
  if (own) return { ...own, sealed }
  for (const each of former) {
    const opened = await runInThread({ passphrase: each, sealed })
    if (opened) return makeKey(passphrase, opened.identity)
  }
  throw new WrongPassphrase(
    'The passphrase (BACKUP_PASSPHRASE, or that of Backups) is not the one that these backups were made with, or the file key.age beside them is damaged.',
  )
}

/** A new key would not open them, though the passphrase fits. */
async function refuseBesideBackups(storage: Storage): Promise<void> {
  for await (const path of storage.list('backups/'))
    if (path.endsWith('.age'))
      throw new Error(
        'There are encrypted backups here, but not the file key.age that opens them with the passphrase: put that file back, or name a new folder, in BACKUP_URL or under Backups.',
      )
}

/** A new key, or the one of `identity`. */
export async function makeKey(passphrase: string, identity?: string): Promise<PlaceKey> {
  const key = await runInThread({ passphrase, ...(identity !== undefined && { identity }) })
  if (key) return key
  throw new Error('No key could be sealed with the passphrase.')
}

const limits = { threads: 1, maxQueued: 0, taskMs: 60_000, memoryMb: 64 }

async function runInThread(task: SealedKeyTask | NewKeyTask): Promise<PlaceKey | undefined> {
  const worker = openBoundedWorker<SealedKeyTask | NewKeyTask, PlaceKey | undefined>(backupThread, limits)
  try {
    return await worker.run(task)
  } finally {
    await worker.close()
  }
}
