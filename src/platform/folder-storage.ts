// Stores files in a folder.
import { pipeline } from 'node:stream/promises'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm, stat, readdir, rename, writeFile } from 'node:fs/promises'
import { join, dirname, relative, resolve, sep } from 'node:path'
import { unlessMissing } from './errors.ts'
import { type Storage, storedFile } from './storage.ts'

const usualChunk = 64 * 1024

/** A killed process leaves its part here. */
export const incomingFolder = 'incoming/'

export function openFolder(folder: string): Storage {
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
      const result = await stat(pathOf(name)).catch(unlessMissing)
      return result?.isFile() ? storedFile(result.size, result.mtime) : undefined
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
