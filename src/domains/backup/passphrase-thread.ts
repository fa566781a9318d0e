// A passphrase's key takes a second and 256 MB by design, in JavaScript.
import { Decrypter, Encrypter, generateX25519Identity } from 'age-encryption'
import { serveTasks } from '#platform/bounded-worker.ts'
import type { PassphraseTask, SealedIdentity, FileKeyTask } from './encryption.ts'

serveTasks((task: PassphraseTask | FileKeyTask) => ('header' in task ? openHeader(task) : openIdentity(task)))

/** The key of the one file that has this header. */
async function openHeader({ passphrase, header }: FileKeyTask): Promise<Uint8Array | undefined> {
  const decrypter = new Decrypter()
  decrypter.addPassphrase(passphrase)
  return decrypter.decryptHeader(header).catch(() => undefined)
}

async function openIdentity({
  passphrase,
  sealed,
  ...given
}: PassphraseTask): Promise<SealedIdentity | undefined> {
  if (!sealed) {
    const identity = given.identity ?? (await generateX25519Identity())
    const encrypter = new Encrypter()
    encrypter.setPassphrase(passphrase)
    return { identity, sealed: await encrypter.encrypt(identity) }
  }
  const decrypter = new Decrypter()
  decrypter.addPassphrase(passphrase)
  const identity = await decrypter.decrypt(sealed, 'text').catch(() => undefined)
  return identity === undefined ? undefined : { identity, sealed }
}
