// A backup as one file: a tar in the age format. Files are read and encrypted here, so that the shop's own thread only sends.
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { ReadableStream } from 'node:stream/web'
import { parentPort } from 'node:worker_threads'
import { Encrypter } from 'age-encryption'
import { pack, type Pack } from 'tar-stream'
import { toWebStream } from '#platform/web-stream.ts'
import type { PlainFile } from './backup-store.ts'
import type { CopyReply, CopyTask } from './backup-copy.ts'

// The listener stays: a thread that waits for nothing but its reader would end. The shop ends it.
parentPort?.on('message', (task: CopyTask) => void send(task))

async function send({ passphrase, folder, files }: CopyTask): Promise<void> {
  const encrypter = new Encrypter()
  encrypter.setPassphrase(passphrase)
  const encrypted = await encrypter.encrypt(toWebStream(readTar(folder, files)))
  const content = ReadableStream.from<Uint8Array>(encrypted)
  const reply: CopyReply = { size: encrypted.size(tarSize(files)), content }
  parentPort?.postMessage(reply, [content])
}

async function* readTar(folder: string, files: readonly PlainFile[]): AsyncGenerator<Uint8Array> {
  const tar = pack()
  fill(tar, folder, files).then(
    () => tar.finalize(),
    (error: Error) => tar.destroy(error),
  )
  for await (const chunk of tar) if (chunk instanceof Uint8Array) yield chunk
}

async function fill(tar: Pack, folder: string, files: readonly PlainFile[]): Promise<void> {
  for (const { path, size, content } of files) {
    const entry = tar.entry({ name: path, size })
    const chunks = content === undefined ? createReadStream(join(folder, path)) : [Buffer.from(content)]
    for await (const chunk of chunks) if (!entry.write(chunk)) await once(entry, 'drain')
    entry.end(undefined)
  }
}

/** POSIX: a header and whole blocks of 512 bytes for each file, two empty ones at the end. */
function tarSize(files: readonly PlainFile[]): number {
  const blocks = files.map(({ size }) => 1 + Math.ceil(size / 512))
  return blocks.reduce((sum, each) => sum + each, 2) * 512
}
