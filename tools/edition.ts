// `npm run edition`: makes from the Markdown in content/edition the book's two files, and what of it the site shows; from
// that in content/bonus, the bundle's bonus.
import { readFile, writeFile } from 'node:fs/promises'
import { Resvg } from '@resvg/resvg-js'
import { format } from 'oxfmt'
import type { Chapter } from '#content/text.ts'
import { coverSize, drawCover } from './cover.ts'
import { bonusFolder, editionFolder, readChapter, readChapters } from './edition/chapters.ts'
import { makeEpub, modifiedAt } from './edition/epub.ts'
import { printBonus, printPdf } from './edition/pdf.ts'
import { cutFont } from './fonts.ts'

const epubFile = new URL('sample.epub', editionFolder)
const pdfFile = new URL('sample.pdf', editionFolder)
const bonusFile = new URL('bonus.pdf', bonusFolder)
const formatFile = new URL('../.oxfmtrc.json', import.meta.url)

async function makeEdition(): Promise<void> {
  const chapters = readChapters()
  const colophon = readChapter('colophon.md')
  const coverSvg = await drawCover()
  const parts = {
    chapters,
    colophon,
    coverPng: new Resvg(coverSvg, { fitTo: { mode: 'width', value: coverSize.width } }).render().asPng(),
    titleFont: await cutFont('fraunces', 'sfnt', { wght: 420, opsz: 60 }),
  }
  await writeFile(epubFile, await makeDatedEpub(parts))
  await writeFile(pdfFile, await printPdf({ chapters, colophon, coverSvg }))
  const bonus = { pages: readChapters(bonusFolder), colophon: readChapter('colophon.md', bonusFolder) }
  await writeFile(bonusFile, await printBonus(bonus))
  const [introduction, first] = chapters
  if (!introduction || !first) throw new Error('The edition needs a preface and a first chapter.')
  await writeCode('preface', introduction)
  await writeCode('firstChapter', first)
}

/** The date moves only when something else did: the same book keeps the same bytes. */
async function makeDatedEpub(parts: Omit<Parameters<typeof makeEpub>[0], 'modified'>): Promise<Uint8Array> {
  const before = await readFile(epubFile).catch(() => undefined)
  const date = before && modifiedAt(before)
  const same = date && makeEpub({ ...parts, modified: date })
  if (same && before.equals(same)) return same
  return makeEpub({ ...parts, modified: new Date().toISOString().replace(/\.\d+Z$/, 'Z') })
}

const codeFiles = { preface: 'preface.ts', firstChapter: 'first-chapter.ts' }

/** What visitors may read before they buy, as code: the site needs no Markdown reader. A file each, for pages show one. */
async function writeCode(name: keyof typeof codeFiles, chapter: Chapter): Promise<void> {
  const file = codeFiles[name]
  const source = `// Made by \`npm run edition\` from the Markdown in content/edition: change the words there, not here.
import type { Chapter } from './text.ts'

export const ${name}: Chapter = ${JSON.stringify(chapter)}
`
  const style = JSON.parse(await readFile(formatFile, 'utf8'))
  await writeFile(new URL(`../content/${file}`, import.meta.url), (await format(file, source, style)).code)
}

if (import.meta.main) await makeEdition()
