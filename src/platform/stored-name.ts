// What an ebook is called in storage.
import type { FileFormat } from '#features/products/contract/file-formats.ts'

/** "ebooks/{timestamp}-{sanitised title}{extension}": the spec's name, in the spec's bucket. */
export function storedName(now: Date, title: string, extension: FileFormat): string {
  return `ebooks/${now.getTime()}-${title.replaceAll(/[^a-zA-Z0-9]/g, '-')}.${extension}`
}
