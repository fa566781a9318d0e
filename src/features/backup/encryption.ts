// Encryption of what leaves the machine, in the age format (age-encryption.org), which other programs can open, too.
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import type { Storage } from '#platform/storage.ts'

export type Encryption = {
  encrypt(content: Readable): Promise<Readable>
  /** Throws an Error that says what is missing where only the public key is known. */
  decrypt(content: Readable): Promise<Readable>
}

/** At most one of `publicKey` and `passphrase`; an identity is the secret half of a public key. */
export type EncryptionKeys = {
  passphrase?: string | undefined
  publicKey?: string | undefined
  identity?: string | undefined
}

/** The secret key of a place whose backups are protected by a passphrase, itself encrypted with it. */
const keyFile = 'key.age'

/** Undefined without keys. Throws an Error in plain words where a passphrase does not fit the place. */
export async function openEncryption(
  storage: Storage,
  keys: EncryptionKeys,
): Promise<Encryption | undefined> {
  const { passphrase, publicKey } = keys
  const identity = keys.identity ?? (passphrase && (await sharedIdentity(storage, passphrase)))
  const recipient = publicKey ?? (identity && (await identityToRecipient(identity)))
  if (!recipient) return undefined
  const encrypter = new Encrypter()
  encrypter.addRecipient(recipient)
  const decrypter = new Decrypter()
  if (identity) decrypter.addIdentity(identity)
  return {
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

/** One key for all objects of a place: deriving one from a passphrase takes a second by design. */
async function sharedIdentity(storage: Storage, passphrase: string): Promise<string> {
  if (await storage.stat(keyFile)) {
    const decrypter = new Decrypter()
    decrypter.addPassphrase(passphrase)
    const sealed = await buffer(await storage.read(keyFile))
    return decrypter.decrypt(sealed, 'text').catch(() => {
      throw new Error('BACKUP_PASSPHRASE is not the one that these backups were made with.')
    })
  }
  const identity = await generateX25519Identity()
  const encrypter = new Encrypter()
  encrypter.setPassphrase(passphrase)
  await storage.write(keyFile, await encrypter.encrypt(identity))
  return identity
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
