// The thread of backups: it derives keys from passphrases and encrypts, which would hold up the shop's own thread.
import { ReadableStream } from 'node:stream/web'
import { Decrypter, Encrypter, generateX25519Identity } from 'age-encryption'
import { serveTasks } from '#platform/bounded-worker.ts'
import { joinChunks, toWebStream } from '#platform/web-stream.ts'
import type { EncryptionTask } from './encryption.ts'
import type { NewKeyTask, PlaceKey, SealedKeyTask } from './place-key.ts'

serveTasks((task: EncryptionTask | SealedKeyTask | NewKeyTask) => {
  if ('content' in task) return encrypt(task)
  return 'sealed' in task ? openKey(task) : sealKey(task)
})

async function encrypt({ recipient, content, encrypted }: EncryptionTask): Promise<void> {
  const encrypter = new Encrypter()
  encrypter.addRecipient(recipient)
  const bytes = await encrypter.encrypt(toWebStream(content))
  await ReadableStream.from(joinChunks(bytes)).pipeTo(encrypted)
}

/** A passphrase's key takes a second and 256 MB by design, in JavaScript. Undefined with another passphrase. */
async function openKey({ passphrase, sealed }: SealedKeyTask): Promise<PlaceKey | undefined> {
  const decrypter = new Decrypter()
  decrypter.addPassphrase(passphrase)
  const identity = await decrypter.decrypt(sealed, 'text').catch(() => undefined)
  return identity === undefined ? undefined : { identity, sealed }
}

async function sealKey(task: NewKeyTask): Promise<PlaceKey> {
  const identity = task.identity ?? (await generateX25519Identity())
  const encrypter = new Encrypter()
  encrypter.setPassphrase(task.passphrase)
  return { identity, sealed: await encrypter.encrypt(identity) }
}
