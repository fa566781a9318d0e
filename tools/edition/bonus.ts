// The bundle's bonus as pages: a prayer and three questions for each of the nine words, one page to a word.
import { book } from '#content/book.ts'
import { bonusTitle } from '#content/bonus.ts'
import type { Chapter } from '#content/text.ts'
import { escapeXml, setBlock, setChapter } from './typeset.ts'

export type BonusParts = { pages: Chapter[]; colophon: Chapter }

export function setBonus({ pages, colophon }: BonusParts, style: string): string {
  return `<!DOCTYPE html>
<html lang="${book.language}">
<head><meta charset="utf-8"/><title>${escapeXml(bonusTitle)}</title><meta name="author" content="${escapeXml(book.author.name)}"/><style>${style}</style></head>
<body class="bonus">
<section class="title-page"><h1>${escapeXml(bonusTitle)}</h1><p>For readers of ${escapeXml(book.title)}</p><p class="author">${escapeXml(book.author.name)}</p></section>
<section class="colophon"><h1>${escapeXml(colophon.title)}</h1>${colophon.blocks.map(setBlock).join('\n')}</section>
${pages.map(setChapter).join('\n')}
</body>
</html>`
}
