// Encryption with the key of a place, in the age format (age-encryption.org), which other programs can open, too.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { ReadableStream, TransformStream, type WritableStream } from 'node:stream/web'
import { pathToFileURL } from 'node:url'
import { Decrypter, Encrypter, identityToRecipient } from 'age-encryption'
import { openBoundedWorker } from '#platform/bounded-worker.ts'
import { ownFile } from '#platform/own-file.ts'
import { joinChunks, toWebStream } from '#platform/web-stream.ts'

export type Encryption = Awaited<ReturnType<typeof openEncryption>>

export type EncryptionTask = {
  recipient: string
  content: ReadableStream<Uint8Array>
  encrypted: WritableStream<Uint8Array>
}

export const backupThread = pathToFileURL(ownFile('#domains/backup/backup-thread.ts'))

/** The longest time that a timer takes: a place may be slow. */
const maxTaskMs = 2 ** 31 - 1
/** A run writes one object at a time; the end of the one before may not have been reported yet. */
const limits = { threads: 1, maxQueued: 2, taskMs: maxTaskMs, memoryMb: 96 }

export async function openEncryption(identity: string) {
  const recipient = await identityToRecipient(identity)
  const encrypter = new Encrypter()
  encrypter.addRecipient(recipient)
  const decrypter = new Decrypter()
  decrypter.addIdentity(identity)
  const empty = await encrypter.encrypt(toWebStream(Readable.from([])))
  // It ends by itself when it is idle.
  const thread = openBoundedWorker<EncryptionTask, void>(backupThread, limits)
  return {
    keyId: createHash('sha256').update(recipient).digest('hex').slice(0, 16),
    /** The bytes that content of so many bytes has when it is encrypted. */
    sizeOf: (size: number) => empty.size(size),
    encrypt(plain: Readable): Readable {
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
      const content = ReadableStream.from(joinChunks(plain))
      const encrypted = Readable.fromWeb(readable)
      const fail = (error: Error) => {
        plain.destroy()
        encrypted.destroy(error)
      }
      // It may fail before somebody reads it, who then sees that it has failed.
      encrypted.on('error', () => undefined)
      // This listens before the thread names the error: one that was sent through a thread has lost its class.
      plain.once('error', fail)
      thread.run({ recipient, content, encrypted: writable }, undefined, [content, writable]).catch(fail)
      return encrypted
    },
    async decrypt(content: Readable): Promise<Readable> {
      return Readable.from(await decrypter.decrypt(toWebStream(content)))
    },
  }
}
