// Encryption of what leaves the machine, in the age format (age-encryption.org), which other programs can open, too.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { Decrypter, Encrypter, identityToRecipient } from 'age-encryption'
import type { Storage } from '#platform/storage.ts'
import { createIdentityReader } from './sealed-identity.ts'

export type Encryption = {
  /** A short hash of the public key that content is encrypted for; the same for the same key. */
  recipientId: string
  /** That of the key which decrypts, where it is another one. */
  readerId: string
  canDecrypt: boolean
  encrypt(content: Readable): Promise<Readable>
  /** Throws an Error that says what is missing where only the public key is set. */
  decrypt(content: Readable): Promise<Readable>
}

/** At most one of `publicKey` and `passphrase`; an identity is the secret half of a public key. */
export type EncryptionKeys = {
  passphrase?: string | undefined
  publicKey?: string | undefined
  identity?: string | undefined
}

/** The function returned throws an Error in plain words where a passphrase does not fit the place. */
export function createEncryption(storage: Storage, keys: EncryptionKeys): () => Promise<Encryption> {
  const { passphrase, publicKey, identity } = keys
  const readIdentity = passphrase ? createIdentityReader(storage, passphrase) : async () => identity
  return async () => openEncryption(identity ?? (await readIdentity()), publicKey)
}

export function isEncrypting({ passphrase, publicKey, identity }: EncryptionKeys): boolean {
  return Boolean(passphrase ?? publicKey ?? identity)
}

/** A public key alone only encrypts. */
export function canDecrypt({ passphrase, identity }: EncryptionKeys): boolean {
  return Boolean(passphrase ?? identity)
}

async function openEncryption(
  identity: string | undefined,
  publicKey: string | undefined,
): Promise<Encryption> {
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
    readerId: idOf(reader ?? recipient),
    canDecrypt: identity !== undefined,
    encrypt: async (content) => fromWeb(await encrypter.encrypt(toWeb(content))),
    async decrypt(content) {
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
