// What an ebook is called in storage.

/** "ebooks/{timestamp}-{sanitised title}{extension}". */
export function storedName(now: Date, title: string, extension: string): string {
  return `ebooks/${now.getTime()}-${title.replaceAll(/[^a-zA-Z0-9]/g, '-')}.${extension}`
}
