// Runs in a thread of its own: the key derivation of a passphrase takes a second and 256 MB by design, and is JavaScript.
import { parentPort } from 'node:worker_threads'
import { Decrypter, Encrypter, generateX25519Identity } from 'age-encryption'
import type { WorkerReply } from '#platform/bounded-worker.ts'
import type { PassphraseTask, SealedIdentity } from './sealed-identity.ts'

parentPort?.on('message', (task: PassphraseTask) => void respond(task))

async function respond(task: PassphraseTask): Promise<void> {
  const reply: WorkerReply<SealedIdentity | undefined> = await work(task).then(
    (result) => ({ result }),
    (error: unknown) => ({ failure: String(error) }),
  )
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(reply)
}

async function work({ passphrase, sealed }: PassphraseTask): Promise<SealedIdentity | undefined> {
  if (!sealed) {
    const identity = await generateX25519Identity()
    const encrypter = new Encrypter()
    encrypter.setPassphrase(passphrase)
    return { identity, sealed: await encrypter.encrypt(identity) }
  }
  const decrypter = new Decrypter()
  decrypter.addPassphrase(passphrase)
  const identity = await decrypter.decrypt(sealed, 'text').catch(() => undefined)
  return identity === undefined ? undefined : { identity, sealed }
}
