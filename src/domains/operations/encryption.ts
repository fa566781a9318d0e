// In the age format (age-encryption.org), which other programs can open, too.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { Decrypter, Encrypter, identityToRecipient } from 'age-encryption'
import type { Storage } from '#platform/storage.ts'
import { pathToFileURL } from 'node:url'
import { buffer } from 'node:stream/consumers'
import { openBoundedWorker } from '#platform/bounded-worker.ts'
import { ownFile } from '#platform/own-file.ts'

export type Encryption = Awaited<ReturnType<typeof openEncryption>>

/** At most one of `publicKey` and `passphrase`; an identity is the secret half of a public key. */
export type EncryptionKeys = {
  passphrase?: string | undefined
  publicKey?: string | undefined
  identity?: string | undefined
}

export function createEncryption(storage: Storage, keys: EncryptionKeys): () => Promise<Encryption> {
  const { passphrase, publicKey, identity } = keys
  const readIdentity = passphrase ? createIdentityReader(storage, passphrase) : async () => identity
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
    encrypt: async (content: Readable) => fromWeb(await encrypter.encrypt(toWeb(content))),
    async decrypt(content: Readable) {
      if (!identity)
        throw new Error(
          'These backups are encrypted: set BACKUP_IDENTITY to the secret key that fits BACKUP_PUBLIC_KEY.',
        )
      return fromWeb(await decrypter.decrypt(toWeb(content)))
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

function toWeb(content: Readable): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = content.iterator()
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: () => void content.destroy(),
  })
}

function fromWeb(content: ReadableStream<Uint8Array>): Readable {
  return Readable.from(content)
}

export type PassphraseTask = { passphrase: string; sealed?: Uint8Array | undefined }

export type SealedIdentity = { identity: string; sealed: Uint8Array }

const keyFile = 'key.age'
const limits = { threads: 1, maxQueued: 0, taskMs: 60_000, memoryMb: 64 }

/** Deriving a key from a passphrase takes a second: one key serves a place, and is derived again only when its file changes. */
function createIdentityReader(storage: Storage, passphrase: string): () => Promise<string> {
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
  const script = pathToFileURL(ownFile('#domains/operations/passphrase-thread.ts'))
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
