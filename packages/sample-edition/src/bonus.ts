// The bonus as pages: a title page, a colophon, then one page for each of its chapters.
import type { Book } from './book.ts'
import type { Chapter } from './chapter.ts'
import { escapeXml, setBlock, setChapter } from './typeset.ts'

export type BonusParts = { book: Book; title: string; pages: Chapter[]; colophon: Chapter }

export function setBonus({ book, title, pages, colophon }: BonusParts, style: string): string {
  return `<!DOCTYPE html>
<html lang="${book.language}">
<head><meta charset="utf-8"/><title>${escapeXml(title)}</title><meta name="author" content="${escapeXml(book.author.name)}"/><style>${style}</style></head>
<body class="bonus">
<section class="title-page"><h1>${escapeXml(title)}</h1><p>For readers of ${escapeXml(book.title)}</p><p class="author">${escapeXml(book.author.name)}</p></section>
<section class="colophon"><h1>${escapeXml(colophon.title)}</h1>${colophon.blocks.map(setBlock).join('\n')}</section>
${pages.map(setChapter).join('\n')}
</body>
</html>`
}
