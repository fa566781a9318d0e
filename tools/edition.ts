// `npm run edition`: makes from the Markdown in content/edition the book's two files; from that in content/bonus, the
// bundle's bonus.
import { readFile, writeFile } from 'node:fs/promises'
import { Resvg } from '@resvg/resvg-js'
import { makeEpub, printBonus, printPdf, readChapter, readChapters } from '@lectern/sample-edition'
import { bonusTitle } from '#content/bonus.ts'
import { book } from '#content/book.ts'
import { ensureChromium } from '#test/chromium.ts'
import { coverSize } from '#contract/book/cover-layout.ts'
import { drawCover, titleParts } from './cover.ts'
import { cutFont } from './fonts.ts'

const content = new URL('../content/', import.meta.url)
const editionFolder = new URL('edition/', content)
const bonusFolder = new URL('bonus/', content)
const epubFile = new URL('sample.epub', editionFolder)

async function makeEdition(): Promise<void> {
  const chapters = readChapters(editionFolder)
  const parts = { book, chapters, colophon: readChapter(editionFolder, 'colophon.md') }
  const fonts = {
    text: await cutFont('serif', 'sfnt', { wght: 400, opsz: 11 }),
    italic: await cutFont('serifItalic', 'sfnt', { wght: 400, opsz: 11 }),
    title: await cutFont('fraunces', 'sfnt', { wght: 420, opsz: 60 }),
  }
  const coverSvg = await drawCover()
  const coverPng = new Resvg(coverSvg, { fitTo: { mode: 'width', value: coverSize.width } }).render().asPng()
  const earlier = await readFile(epubFile).catch(() => undefined)
  await writeFile(epubFile, makeEpub({ ...parts, coverPng, titleFont: fonts.title }, earlier))

  const printing = { executablePath: ensureChromium(), fonts }
  const pdf = await printPdf({ ...parts, coverSvg, title: titleParts() }, printing)
  await writeFile(new URL('sample.pdf', editionFolder), pdf)
  const bonus = { pages: readChapters(bonusFolder), colophon: readChapter(bonusFolder, 'colophon.md') }
  await writeFile(
    new URL('bonus.pdf', bonusFolder),
    await printBonus({ book, title: bonusTitle, ...bonus }, printing),
  )
}

await makeEdition()
