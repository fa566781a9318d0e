import { tmpdir } from 'node:os'
import { join, dirname, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config } from '../config.ts'
import { openBucket } from './bucket-storage.ts'
import { outgoingFolder } from './outgoing-files.ts'
import { type Storage, storedFile } from './storage.ts'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { unlessMissing } from './errors.ts'

export function openStorage({ storageUrl, dataDir }: Pick<Config, 'storageUrl' | 'dataDir'>): Storage {
  return storageUrl ? openStorageAt(storageUrl, outgoingFolder(dataDir)) : openFolder(join(dataDir, 'files'))
}

export function openStorageAt(address: string, temporaryFolder = tmpdir()): Storage {
  const url = new URL(address)
  return url.protocol === 's3:' ? openBucket(url, temporaryFolder) : openFolder(fileURLToPath(url))
}

const usualChunk = 64 * 1024

/** A killed process leaves its part here. */
export const incomingFolder = 'incoming/'

function openFolder(folder: string): Storage {
  /** A damaged backup may have a name that leads out of the folder. */
  function pathOf(name: string): string {
    const path = resolve(folder, name)
    if (!path.startsWith(resolve(folder) + sep)) throw new Error(`${name} is not a name of a stored file`)
    return path
  }

  return {
    async write(name, content) {
      const path = pathOf(name)
      const aside = join(folder, incomingFolder, crypto.randomUUID())
      try {
        await mkdir(dirname(aside), { recursive: true })
        await (content instanceof Uint8Array
          ? writeFile(aside, content, { flush: true })
          : pipeline(content, createWriteStream(aside, { flush: true })))
        await mkdir(dirname(path), { recursive: true })
        await rename(aside, path)
      } catch (error) {
        await rm(aside, { force: true })
        throw error
      }
    },
    async stat(name) {
      const found = await stat(pathOf(name)).catch(unlessMissing)
      return found?.isFile() ? storedFile(found.size, found.mtime) : undefined
    },
    read: async (name, range, highWaterMark = usualChunk) =>
      createReadStream(pathOf(name), { ...range, highWaterMark }),
    remove: (name) => rm(pathOf(name), { force: true }),
    async *list(prefix) {
      const entries = await readdir(pathOf(prefix), { recursive: true, withFileTypes: true }).catch(
        unlessMissing,
      )
      for (const entry of entries ?? [])
        if (entry.isFile()) yield relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/')
    },
  }
}
