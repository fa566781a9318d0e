// Packs the chapters as an EPUB 3. The same words and date give the same bytes.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import type { Book } from './book.ts'
import type { Chapter } from './chapter.ts'
import { escapeXml, setBlock, setChapter } from './typeset.ts'

export type EpubParts = {
  book: Book
  chapters: Chapter[]
  colophon: Chapter
  coverPng: Uint8Array
  titleFont: Uint8Array
}

/** Equal to `earlier`, its date included, when nothing else has changed; otherwise dated now. */
export function makeEpub(parts: EpubParts, earlier?: Buffer): Uint8Array {
  const date = earlier && modifiedAt(earlier)
  const same = date && packEpub(parts, date)
  if (same && earlier.equals(same)) return same
  return packEpub(parts, new Date().toISOString().replace(/\.\d+Z$/, 'Z'))
}

/** `modified` is to the second, as in 2026-11-20T08:00:00Z. */
function packEpub(parts: EpubParts, modified: string): Uint8Array {
  const { book, chapters, colophon, coverPng, titleFont } = parts
  const title = escapeXml(book.title)
  const pages: Page[] = [
    {
      id: 'cover-page',
      title: 'Cover',
      body: `<section class="cover" epub:type="cover"><img src="cover.png" alt="${coverText(book)}"/></section>`,
    },
    {
      id: 'title-page',
      title: 'Title page',
      body: `<section class="title-page" epub:type="titlepage"><h1>${title}</h1><p>${escapeXml(book.subtitle)}</p><p>${escapeXml(book.author.name)}</p></section>`,
    },
    {
      id: 'colophon',
      title: colophon.title,
      body: `<section class="colophon" epub:type="colophon"><h1>${escapeXml(colophon.title)}</h1>${colophon.blocks.map(setBlock).join('\n')}</section>`,
    },
    ...chapters.map((chapter) => ({
      id: chapter.slug,
      title: chapter.title,
      body: setChapter(chapter),
      inContents: true,
    })),
  ]
  const files = {
    // The container format wants this file first, and not compressed.
    mimetype: [strToU8('application/epub+zip'), { level: 0 }],
    'META-INF/container.xml': strToU8(container),
    'book/package.opf': strToU8(describePackage(book, pages, modified)),
    'book/contents.xhtml': strToU8(
      setPage(book, { id: 'contents', title: 'Contents', body: listContents(pages) }),
    ),
    'book/style.css': readFileSync(new URL('epub.css', import.meta.url)),
    'book/fraunces.ttf': titleFont,
    'book/cover.png': [coverPng, { level: 0 }],
    ...Object.fromEntries(pages.map((page) => [`book/${page.id}.xhtml`, strToU8(setPage(book, page))])),
  } satisfies Parameters<typeof zipSync>[0]
  // A zip keeps local time of no zone: a fixed one keeps the bytes the same everywhere.
  return zipSync(files, { level: 9, mtime: new Date(1980, 0, 1) })
}

/** The date an earlier EPUB was given. */
function modifiedAt(epub: Uint8Array): string | undefined {
  const packageFile = unzipSync(epub, { filter: ({ name }) => name === 'book/package.opf' })[
    'book/package.opf'
  ]
  return packageFile && /dcterms:modified">([^<]+)/.exec(strFromU8(packageFile))?.[1]
}

type Page = { id: string; title: string; body: string; inContents?: boolean }

function coverText(book: Book): string {
  return escapeXml(
    `${book.title}, by ${book.author.name}. Nested golden arches open, one within another, on a doorway full of light.`,
  )
}

function setPage(book: Book, { title, body }: Page): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="${book.language}" xml:lang="${book.language}">
<head><title>${escapeXml(title)}</title><link rel="stylesheet" href="style.css"/></head>
<body>
${body}
</body>
</html>
`
}

function listContents(pages: Page[]): string {
  const entries = pages
    .filter((page) => page.inContents)
    .map(({ id, title }) => `<li><a href="${id}.xhtml">${escapeXml(title)}</a></li>`)
  const first = pages.find((page) => page.inContents)
  if (!first) throw new Error('The edition has no page for its contents.')
  return `<nav epub:type="toc" id="toc"><h1>Contents</h1><ol>
${entries.join('\n')}
</ol></nav>
<nav epub:type="landmarks" hidden="hidden"><h2>Landmarks</h2><ol>
<li><a epub:type="cover" href="cover-page.xhtml">Cover</a></li>
<li><a epub:type="toc" href="#toc">Contents</a></li>
<li><a epub:type="bodymatter" href="${first.id}.xhtml">${escapeXml(first.title)}</a></li>
</ol></nav>`
}

function describePackage(book: Book, pages: Page[], modified: string): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="identifier" xml:lang="${book.language}">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="identifier">urn:uuid:${identify(book)}</dc:identifier>
<dc:title>${escapeXml(book.title)}</dc:title>
<dc:creator>${escapeXml(book.author.name)}</dc:creator>
<dc:language>${book.language}</dc:language>
<dc:description>${escapeXml(book.description)}</dc:description>
<meta property="dcterms:modified">${modified}</meta>
<meta property="schema:accessMode">textual</meta>
<meta property="schema:accessModeSufficient">textual</meta>
${['structuralNavigation', 'tableOfContents', 'readingOrder', 'alternativeText', 'displayTransformability'].map((feature) => `<meta property="schema:accessibilityFeature">${feature}</meta>`).join('\n')}
<meta property="schema:accessibilityHazard">none</meta>
<meta property="schema:accessibilitySummary">Plain text in reading order with headings and a table of contents; the one picture, the cover, is described.</meta>
</metadata>
<manifest>
<item id="contents" href="contents.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="cover" href="cover.png" media-type="image/png" properties="cover-image"/>
<item id="style" href="style.css" media-type="text/css"/>
<item id="fraunces" href="fraunces.ttf" media-type="font/ttf"/>
${pages.map(({ id }) => `<item id="${id}" href="${id}.xhtml" media-type="application/xhtml+xml"/>`).join('\n')}
</manifest>
<spine>
${[...pages.slice(0, 3), { id: 'contents' }, ...pages.slice(3)].map(({ id }) => `<itemref idref="${id}"/>`).join('\n')}
</spine>
</package>
`
}

/** The same book keeps the same identifier through all its editions: a name-based UUID of title and author. */
function identify(book: Book): string {
  const hash = createHash('sha256').update(`${book.title}\n${book.author.name}`).digest()
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x80, 6)
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8)
  return hash.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

const container = `<?xml version="1.0" encoding="utf-8"?>
<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0">
<rootfiles><rootfile full-path="book/package.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
`
