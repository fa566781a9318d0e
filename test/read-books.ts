// Reads books as an upload is read, from their files or from bytes.
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { openUploadReader, readBookFile } from '#features/ebooks/check.ts'
import { readBook } from '#features/ebooks/contract/read-book.ts'

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
