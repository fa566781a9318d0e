// A backup of a place that is not encrypted as a tar: the files of an encrypted place, with a key of its own.
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { pack, type Pack } from 'tar-stream'
import { type BackupStore, layoutOf, nameOf } from './backup-store.ts'
import { openEncryption } from './encryption.ts'
import { formatManifest, type Manifest } from './manifest.ts'
import { objectsWithSizes } from './object-damage.ts'
import { keyFile, makeKey } from './place-key.ts'

type Entry = { path: string; size: number; open: () => Promise<Readable> }

/** The stream ends with the first object that cannot be read whole. */
export async function openCopyTar(store: BackupStore, manifest: Manifest, passphrase: string) {
  const { identity, sealed } = await makeKey(passphrase)
  const encryption = await openEncryption(identity)
  const layout = layoutOf(encryption.keyId)
  const name = nameOf(manifest.created_at)
  const objects = objectsWithSizes(manifest)
  const objectList = objects.map(({ sha256 }) => layout.object(sha256)).join('\n')
  const encrypted = ({ path, size, open }: Entry): Entry => ({
    path,
    size: encryption.sizeOf(size),
    open: async () => encryption.encrypt(await open()),
  })
  const entries = [
    bytes(keyFile, sealed),
    bytes(layout.objectList(name), Buffer.from(objectList)),
    encrypted(bytes(layout.manifest(name), Buffer.from(formatManifest(manifest)))),
    ...objects.map(({ sha256, size }) =>
      encrypted({ path: layout.object(sha256), size, open: () => store.readObject(sha256) }),
    ),
  ]
  return { size: tarSize(entries), content: readTar(entries) }
}

const bytes = (path: string, content: Uint8Array): Entry => ({
  path,
  size: content.length,
  open: async () => Readable.from([content]),
})

function readTar(entries: readonly Entry[]): Readable {
  const tar = pack()
  fill(tar, entries).then(
    () => tar.finalize(),
    (error: Error) => tar.destroy(error),
  )
  return Readable.from(tar, { objectMode: false })
}

async function fill(tar: Pack, entries: readonly Entry[]): Promise<void> {
  for (const { path, size, open } of entries) {
    const content = await open()
    try {
      await pipeline(content, tar.entry({ name: path, size }))
    } finally {
      // A download that has broken off meanwhile takes no further entry, and nothing else would close this one.
      content.destroy()
    }
  }
}

/** POSIX: a header and whole blocks of 512 bytes for each file, two empty ones at the end. */
function tarSize(entries: readonly Entry[]): number {
  const blocks = entries.map(({ size }) => 1 + Math.ceil(size / 512))
  return blocks.reduce((sum, each) => sum + each, 2) * 512
}
