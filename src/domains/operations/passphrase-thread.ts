// A passphrase's key takes a second and 256 MB by design, in JavaScript.
import { Decrypter, Encrypter, generateX25519Identity } from 'age-encryption'
import { serveTasks } from '#platform/bounded-worker.ts'
import type { PassphraseTask, SealedIdentity } from './encryption.ts'

serveTasks(work)

async function work({ passphrase, sealed, ...given }: PassphraseTask): Promise<SealedIdentity | undefined> {
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
