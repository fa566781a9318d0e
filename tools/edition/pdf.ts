// Prints the chapters, and the bonus, as a PDF of trade size through Chromium, with outline, tags and real page numbers in the contents.
import { readFileSync } from 'node:fs'
import { chromium } from '@playwright/test'
import { book } from '#content/book.ts'
import type { Chapter } from '#content/text.ts'
import { ensureChromium } from '#test/chromium.ts'
import { titleParts } from '../cover.ts'
import { cutFont } from '../fonts.ts'
import { setBonus, type BonusParts } from './bonus.ts'
import { findPage, signPdf } from './pdf-bytes.ts'
import { escapeXml, setBlock, setChapter } from './typeset.ts'

type PageOf = (slug: string) => number

export type PdfParts = { chapters: Chapter[]; colophon: Chapter; coverSvg: string }

export async function printPdf(parts: PdfParts): Promise<Buffer> {
  const style = await readStyle()
  await using printer = await openPrinter()
  const print = (pageOf: PageOf) => printer.print(setBook(parts, style, pageOf))
  // Printed twice: the contents can name pages only when it is known where each chapter fell.
  const draft = await print(() => 0)
  return signPdf(await print((slug) => findPage(draft, slug)))
}

export async function printBonus(parts: BonusParts): Promise<Buffer> {
  const style = await readStyle()
  await using printer = await openPrinter()
  return signPdf(await printer.print(setBonus(parts, style)))
}

async function openPrinter() {
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: ['--no-sandbox'] })
  const page = await browser.newPage()
  return {
    async print(html: string) {
      await page.setContent(html)
      return page.pdf({ preferCSSPageSize: true, printBackground: true, outline: true, tagged: true })
    },
    [Symbol.asyncDispose]: () => browser.close(),
  }
}

async function readStyle(): Promise<string> {
  return (await embedFonts()) + readFileSync(new URL('pdf.css', import.meta.url), 'utf8')
}

/** One fixed cut of each: a variable font would reach the PDF as drawings instead of letters. */
async function embedFonts(): Promise<string> {
  const cuts = [
    ['Text', 'normal', await cutFont('serif', 'sfnt', { wght: 400, opsz: 11 })],
    ['Text', 'italic', await cutFont('serifItalic', 'sfnt', { wght: 400, opsz: 11 })],
    ['Title', 'normal', await cutFont('fraunces', 'sfnt', { wght: 420, opsz: 60 })],
  ] as const
  return cuts
    .map(
      ([family, style, font]) =>
        `@font-face { font-family: ${family}; font-style: ${style}; src: url(data:font/ttf;base64,${font.toString('base64')}) }\n`,
    )
    .join('')
}

function setBook({ chapters, colophon, coverSvg }: PdfParts, style: string, pageOf: PageOf): string {
  const cover = `data:image/svg+xml;base64,${Buffer.from(coverSvg).toString('base64')}`
  return `<!DOCTYPE html>
<html lang="${book.language}">
<head><meta charset="utf-8"/><title>${escapeXml(book.title)}</title><meta name="author" content="${escapeXml(book.author.name)}"/><style>${style}</style></head>
<body>
<section class="cover"><img src="${cover}" alt="${escapeXml(`Cover of ${book.title}`)}"/></section>
<section class="title-page"><h1>${setTitle()}</h1><p>${escapeXml(book.subtitle)}</p><p class="author">${escapeXml(book.author.name)}</p></section>
<section class="colophon"><h1>${escapeXml(colophon.title)}</h1>${colophon.blocks.map(setBlock).join('\n')}</section>
${setContents(chapters, pageOf)}
${chapters.map(setChapter).join('\n')}
</body>
</html>`
}

function setTitle(): string {
  const { large, small } = titleParts()
  return `${escapeXml(large)} <span>${escapeXml(small)}</span>`
}

function setContents(chapters: Chapter[], pageOf: PageOf): string {
  const entries = chapters.map(({ slug, number, title }) => {
    const line = book.words[number - 1]?.line
    return `<li><a href="#${slug}"><span class="ordinal">${number || ''}</span><span class="word">${escapeXml(title)}</span><span class="page">${pageOf(slug)}</span>${line ? `<small>${escapeXml(line)}</small>` : ''}</a></li>`
  })
  return `<nav class="contents"><h1>Contents</h1><ol>${entries.join('\n')}</ol></nav>`
}
