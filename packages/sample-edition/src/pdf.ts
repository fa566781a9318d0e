// Prints the chapters, and the bonus, as a PDF of trade size through Chromium, with outline, tags and real page numbers in the contents.
import { readFileSync } from 'node:fs'
import { chromium } from '@playwright/test'
import { setBonus, type BonusParts } from './bonus.ts'
import type { Book } from './book.ts'
import type { Chapter } from './chapter.ts'
import { findPage, signPdf } from './pdf-bytes.ts'
import { escapeXml, setBlock, setChapter } from './typeset.ts'

type PageOf = (slug: string) => number

export type PdfParts = {
  book: Book
  /** The book's title as its title page sets it. */
  title: { large: string; small: string }
  chapters: Chapter[]
  colophon: Chapter
  coverSvg: string
}

export type Printing = {
  /** Chromium's path. */
  executablePath: string
  /** TrueType, one fixed cut of each: a variable font would reach the PDF as drawings instead of letters. */
  fonts: { text: Buffer; italic: Buffer; title: Buffer }
}

export async function printPdf(parts: PdfParts, { executablePath, fonts }: Printing): Promise<Buffer> {
  const style = readStyle(fonts)
  await using printer = await openPrinter(executablePath)
  const print = (pageOf: PageOf) => printer.print(setBook(parts, style, pageOf))
  // Printed twice: the contents can name pages only when it is known where each chapter fell.
  const draft = await print(() => 0)
  return signPdf(await print((slug) => findPage(draft, slug)))
}

export async function printBonus(parts: BonusParts, { executablePath, fonts }: Printing): Promise<Buffer> {
  await using printer = await openPrinter(executablePath)
  return signPdf(await printer.print(setBonus(parts, readStyle(fonts))))
}

async function openPrinter(executablePath: string) {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  const page = await browser.newPage()
  return {
    async print(html: string) {
      await page.setContent(html)
      return page.pdf({ preferCSSPageSize: true, printBackground: true, outline: true, tagged: true })
    },
    [Symbol.asyncDispose]: () => browser.close(),
  }
}

function readStyle(fonts: Printing['fonts']): string {
  return embedFonts(fonts) + readFileSync(new URL('pdf.css', import.meta.url), 'utf8')
}

function embedFonts({ text, italic, title }: Printing['fonts']): string {
  const cuts = [
    ['Text', 'normal', text],
    ['Text', 'italic', italic],
    ['Title', 'normal', title],
  ] as const
  return cuts
    .map(
      ([family, style, font]) =>
        `@font-face { font-family: ${family}; font-style: ${style}; src: url(data:font/ttf;base64,${font.toString('base64')}) }\n`,
    )
    .join('')
}

function setBook(parts: PdfParts, style: string, pageOf: PageOf): string {
  const { book, title, chapters, colophon, coverSvg } = parts
  const cover = `data:image/svg+xml;base64,${Buffer.from(coverSvg).toString('base64')}`
  return `<!DOCTYPE html>
<html lang="${book.language}">
<head><meta charset="utf-8"/><title>${escapeXml(book.title)}</title><meta name="author" content="${escapeXml(book.author.name)}"/><style>${style}</style></head>
<body>
<section class="cover"><img src="${cover}" alt="${escapeXml(`Cover of ${book.title}`)}"/></section>
<section class="title-page"><h1>${escapeXml(title.large)} <span>${escapeXml(title.small)}</span></h1><p>${escapeXml(book.subtitle)}</p><p class="author">${escapeXml(book.author.name)}</p></section>
<section class="colophon"><h1>${escapeXml(colophon.title)}</h1>${colophon.blocks.map(setBlock).join('\n')}</section>
${setContents(book, chapters, pageOf)}
${chapters.map(setChapter).join('\n')}
</body>
</html>`
}

function setContents(book: Book, chapters: Chapter[], pageOf: PageOf): string {
  const entries = chapters.map(({ slug, number, title }) => {
    const line = book.words[number - 1]?.line
    return `<li><a href="#${slug}"><span class="ordinal">${number || ''}</span><span class="word">${escapeXml(title)}</span><span class="page">${pageOf(slug)}</span>${line ? `<small>${escapeXml(line)}</small>` : ''}</a></li>`
  })
  return `<nav class="contents"><h1>Contents</h1><ol>${entries.join('\n')}</ol></nav>`
}
