// Reads books as an upload is read, from their files or from bytes.
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { checkEbook, openUploadReader, readBookFile, repairEbook } from '#domains/files/ebook-reader.ts'
import { readBook } from '#contract/files/read-book.ts'

export async function openBookReader() {
  const reader = openUploadReader()
  const folder = await mkdtempDisposable(join(tmpdir(), 'lectern-books-'))
  let files = 0
  async function read(path: string) {
    const { book, cover } = await readBookFile(reader, path, path)
    expect(readBook.parse(book)).toEqual(book)
    return { book, cover }
  }
  return {
    read,
    /** The findings of an upload. */
    check: async (path: string) => (await checkEbook(reader, path, path)).findings,
    /** The findings of an upload, and what is stored instead of it. */
    async repairMade(content: Uint8Array, name = 'x.epub') {
      const path = join(folder.path, `${(files += 1)}-${name}`)
      await writeFile(path, content)
      const { findings } = await checkEbook(reader, path, path)
      const repaired = await repairEbook(reader, path)
      return { findings, repaired: repaired === undefined ? undefined : await readFile(repaired) }
    },
    async readMade(content: Uint8Array, name = 'x.epub') {
      const path = join(folder.path, `${(files += 1)}-${name}`)
      await writeFile(path, content)
      return read(path)
    },
    async [Symbol.asyncDispose]() {
      await reader.close()
      await folder.remove()
    },
  }
}

type Read = Awaited<ReturnType<Awaited<ReturnType<typeof openBookReader>>['read']>>

export const outline = ({ book }: Read) => book.chapters.map(({ kind, title }) => `${kind}: ${title}`)
