// In the age format (age-encryption.org), which other programs can open, too.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { Decrypter, Encrypter, identityToRecipient } from 'age-encryption'
import { type Storage, StorageUnavailableError, httpStatus } from '#platform/storage.ts'
import { toWebStream } from '#platform/web-stream.ts'
import { pathToFileURL } from 'node:url'
import { buffer } from 'node:stream/consumers'
import { openBoundedWorker } from '#platform/bounded-worker.ts'
import { ownFile } from '#platform/own-file.ts'
import { errorCode, failureReason } from '#platform/errors.ts'
import { and, eq } from 'drizzle-orm'
import type { Db } from '#platform/db/client.ts'
import { backup_objects } from '#tables/backup.ts'
import { connect, createMeter, measure } from './content-sums.ts'

export type Encryption = Awaited<ReturnType<typeof openEncryption>>

/** At most one of `publicKey` and `passphrase`; an identity is the secret half of a public key. */
export type EncryptionKeys = {
  passphrase?: string | undefined
  /** Those before it, the newest first: a place that one of them opens is sealed anew. */
  formerPassphrases?: readonly string[]
  publicKey?: string | undefined
  identity?: string | undefined
}

export function createEncryption(storage: Storage, keys: EncryptionKeys): () => Promise<Encryption> {
  const { passphrase, formerPassphrases = [], publicKey, identity } = keys
  const readIdentity = passphrase
    ? createIdentityReader(storage, [passphrase, ...formerPassphrases])
    : async () => identity
  return async () => openEncryption(identity ?? (await readIdentity()), publicKey)
}

export function isEncrypting({ passphrase, publicKey, identity }: EncryptionKeys): boolean {
  return Boolean(passphrase ?? publicKey ?? identity)
}

export function canDecrypt({ passphrase, identity }: EncryptionKeys): boolean {
  return Boolean(passphrase ?? identity)
}

async function openEncryption(identity: string | undefined, publicKey: string | undefined) {
  const encrypter = new Encrypter()
  const reader = identity && (await identityToRecipient(identity).catch(mistyped('BACKUP_IDENTITY')))
  const recipient = publicKey ?? reader
  if (!recipient) throw new Error('There is no key to encrypt backups with.')
  try {
    encrypter.addRecipient(recipient)
  } catch (error) {
    mistyped('BACKUP_PUBLIC_KEY')(error)
  }
  const decrypter = new Decrypter()
  if (identity) decrypter.addIdentity(identity)
  return {
    recipientId: idOf(recipient),
    /** That of the key which decrypts, where it is another one. */
    readerId: idOf(reader ?? recipient),
    canDecrypt: identity !== undefined,
    encrypt: async (content: Readable) => fromWeb(await encrypter.encrypt(toWebStream(content))),
    async decrypt(content: Readable) {
      if (!identity)
        throw new Error(
          'These backups are encrypted: set BACKUP_IDENTITY to the secret key that fits BACKUP_PUBLIC_KEY.',
        )
      return fromWeb(await decrypter.decrypt(toWebStream(content)))
    },
  }
}

const mistyped =
  (name: string) =>
  (cause: unknown): never => {
    throw new Error(`${name} is not a whole key of age: a letter is missing or mistyped`, { cause })
  }

function idOf(recipient: string): string {
  return createHash('sha256').update(recipient).digest('hex').slice(0, 16)
}

function fromWeb(content: ReadableStream<Uint8Array>): Readable {
  return Readable.from(content)
}

/** Opens `sealed`, or else seals `identity`, or else a new one. */
export type PassphraseTask = { passphrase: string; sealed?: Uint8Array | undefined; identity?: string }

export type SealedIdentity = { identity: string; sealed: Uint8Array }

const keyFile = 'key.age'
const limits = { threads: 1, maxQueued: 0, taskMs: 60_000, memoryMb: 64 }

/** Deriving a key from a passphrase takes a second: one key serves a place, and is derived again only when its file changes. */
function createIdentityReader(
  storage: Storage,
  passphrases: readonly [string, ...string[]],
): () => Promise<string> {
  let last: SealedIdentity | undefined
  return async () => {
    const isThere = await storage.stat(keyFile)
    const sealed = isThere && (await buffer(await storage.read(keyFile)))
    if (!sealed || !last || !sealed.equals(last.sealed)) {
      if (!sealed) await refuseBesideBackups(storage)
      const derived = sealed ? await openIdentity(sealed, passphrases) : await derive(passphrases[0])
      if (derived.sealed !== sealed) await storage.write(keyFile, derived.sealed)
      last = derived
    }
    return last.identity
  }
}

/** Sealed anew with the first passphrase where another one opens it: the backups that are there then need the first. */
async function openIdentity(
  sealed: Uint8Array,
  [passphrase, ...former]: readonly [string, ...string[]],
): Promise<SealedIdentity> {
  const own = await runInThread<SealedIdentity>({ passphrase, sealed })
  if (own) return { identity: own.identity, sealed }
  for (const each of former) {
    const opened = await runInThread<SealedIdentity>({ passphrase: each, sealed })
    if (opened) return derive(passphrase, opened.identity)
  }
  throw new Error(
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

async function derive(passphrase: string, identity?: string): Promise<SealedIdentity> {
  const result = await runInThread<SealedIdentity>({
    passphrase,
    ...(identity !== undefined && { identity }),
  })
  if (result) return result
  throw new Error('No key could be sealed with the passphrase.')
}

async function runInThread<Result>(task: PassphraseTask | FileKeyTask): Promise<Result | undefined> {
  const script = pathToFileURL(ownFile('#domains/backup/passphrase-thread.ts'))
  const worker = openBoundedWorker<PassphraseTask | FileKeyTask, Result | undefined>(script, limits)
  try {
    return await worker.run(task)
  } finally {
    await worker.close()
  }
}

/** Of one file, up to its MAC: what age writes before the encrypted content. */
export type FileKeyTask = { passphrase: string; header: Uint8Array }

/** The content of a file that was encrypted with a passphrase. Undefined where it is another passphrase. */
export async function decryptFile(content: Readable, task: FileKeyTask): Promise<Readable | undefined> {
  const fileKey = await runInThread<Uint8Array>(task)
  if (!fileKey) return undefined
  const decrypter = new Decrypter()
  decrypter.addIdentity({ unwrapFileKey: () => fileKey })
  return fromWeb(await decrypter.decrypt(toWebStream(content)))
}

export class OverwriteRefused extends Error {}

type Place = { storage: Storage; record: ObjectRecord; /** Checksums are stored. */ isRecorded: boolean }

export async function writeBytes(
  { storage, record, isRecorded }: Place,
  path: string,
  bytes: Readable,
  isReplaced = false,
): Promise<void> {
  const wasDamaged = record.isDamaged(path)
  const overwrites = wasDamaged || isReplaced
  const meter = createMeter()
  try {
    await storage.write(path, connect(bytes, meter.through))
  } catch (cause) {
    if (overwrites && isRefusal(cause)) throw refusal(path, failureReason(cause), cause)
    throw cause
  }
  const { sha256, size } = meter.result()
  // Some places accept a write and go on serving the object that they had before.
  if (overwrites && (await measure(await storage.read(path))).sha256 !== sha256)
    throw refusal(path, 'it accepts the write and keeps the damaged object')
  if (isRecorded) await record.addChecksum(path, { sha256, size })
  else if (wasDamaged) await record.remove(path)
}

function refusal(path: string, reason: string, cause?: unknown): OverwriteRefused {
  return new OverwriteRefused(
    `The place refuses to overwrite ${path}, which is damaged: ${reason}. Delete that object there or allow the shop to overwrite it, or name a new folder, in BACKUP_URL or under Backups.`,
    { cause },
  )
}

const refusedStatuses = new Set<number | undefined>([403, 405, 409, 412])
const refusedCodes = new Set<string | undefined>(['EPERM', 'EACCES', 'EROFS', 'EEXIST'])

function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return refusedStatuses.has(httpStatus(error.cause)) || refusedCodes.has(errorCode(error))
}

export async function compareBytes(
  { storage, record }: Omit<Place, 'isRecorded'>,
  paths: ReadonlySet<string>,
  onObject: (done: number, total: number) => void,
) {
  const checksums = await record.readChecksums()
  const result = { checked: 0, unchecked: 0, problems: new Array<string>() }
  for (const [nth, path] of [...paths].entries()) {
    onObject(nth, paths.size)
    const expected = checksums.get(path)?.sha256
    const checksum = await findChecksum(storage, path, expected !== undefined)
    if (checksum === 'unchecked') result.unchecked += 1
    else result.checked += 1
    if (checksum === 'unchecked' || checksum === expected) continue
    await record.addDamage(path)
    result.problems.push(
      checksum === undefined
        ? `${path} is missing`
        : `${path} is damaged: its bytes are not those that were written`,
    )
  }
  return result
}

async function findChecksum(storage: Storage, path: string, isKnown: boolean): Promise<string | undefined> {
  if (!(await storage.stat(path))) return undefined
  if (!isKnown) return 'unchecked'
  try {
    return (await measure(await storage.read(path))).sha256
  } catch (error) {
    if (error instanceof StorageUnavailableError) throw error
    return failureReason(error)
  }
}

type ObjectChecksum = { sha256: string; size: number }

export type ObjectRecord = Awaited<ReturnType<typeof openObjectRecord>>

export const unrecorded: ObjectRecord = {
  isDamaged: () => false,
  isUnchecked: () => false,
  readChecksums: async () => new Map(),
  addChecksum: async () => undefined,
  addDamage: async () => undefined,
  remove: async () => undefined,
}

export async function openObjectRecord(db: Db, place: string) {
  const isOfPlace = eq(backup_objects.place, place)
  const result = await db
    .select({ path: backup_objects.path, sha256: backup_objects.sha256, at: backup_objects.damaged_at })
    .from(backup_objects)
    .where(isOfPlace)
  const damaged = new Set(result.flatMap(({ path, at }) => (at ? [path] : [])))
  const checked = new Set(result.flatMap(({ path, sha256 }) => (sha256 === null ? [] : [path])))

  async function write(path: string, values: Partial<typeof backup_objects.$inferInsert>) {
    await db
      .insert(backup_objects)
      .values({ place, path, ...values })
      .onConflictDoUpdate({ target: [backup_objects.place, backup_objects.path], set: values })
  }

  return {
    isDamaged: (path: string) => damaged.has(path),
    isUnchecked: (path: string) => !checked.has(path),
    async readChecksums() {
      const checksums = new Map<string, ObjectChecksum>()
      for (const { path, sha256, size } of await db.select().from(backup_objects).where(isOfPlace))
        if (sha256 !== null && size !== null) checksums.set(path, { sha256, size })
      return checksums
    },
    async addChecksum(path: string, { sha256, size }: ObjectChecksum) {
      await write(path, { sha256, size, damaged_at: null })
      damaged.delete(path)
      checked.add(path)
    },
    async addDamage(path: string) {
      await write(path, { damaged_at: new Date() })
      damaged.add(path)
    },
    async remove(path: string) {
      await db.delete(backup_objects).where(and(isOfPlace, eq(backup_objects.path, path)))
      damaged.delete(path)
      checked.delete(path)
    },
  }
}
