// The package's entry: reads a book's chapters from Markdown and makes an EPUB and PDFs of them. Words, fonts and cover
// come from the caller.
export type { Book } from './book.ts'
export type { Block, Chapter, Span } from './chapter.ts'
export { readChapter, readChapters } from './chapters.ts'
export { makeEpub } from './epub.ts'
export { printBonus, printPdf } from './pdf.ts'
