// The committed edition is a book that opens, and the one that the Markdown beside it says.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { strFromU8, unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { readChapters } from '@lectern/sample-edition'
import { book } from '#content/book.ts'

const editionFolder = new URL('../content/edition/', import.meta.url)
const bonusFolder = new URL('../content/bonus/', import.meta.url)
const epubFile = fileURLToPath(new URL('sample.epub', editionFolder))
const pdfFile = fileURLToPath(new URL('sample.pdf', editionFolder))

test('the EPUB is a container whose pages are the introduction and the nine words, in order', () => {
  const bytes = readFileSync(epubFile)
  expect(bytes.subarray(30, 58).toString()).toBe('mimetypeapplication/epub+zip')
  const files = unzipSync(bytes)
  const text = (name: string) => strFromU8(files[name]!)
  const path = /full-path="([^"]+)"/.exec(text('META-INF/container.xml'))?.[1]
  const description = text(path!)
  expect(description).toContain('version="3.0"')
  const spine = [...description.matchAll(/<itemref idref="([^"]+)"/g)].map(([, id]) => id)
  const slugs = readChapters(editionFolder).map(({ slug }) => slug)
  expect(slugs).toEqual(['introduction', ...book.words.map(({ word }) => word.toLowerCase())])
  expect(spine.slice(-slugs.length)).toEqual(slugs)
  for (const slug of slugs) expect(text('book/contents.xhtml')).toContain(`href="${slug}.xhtml"`)
  expect(text('book/colophon.xhtml')).toContain('World English Bible')
})

test('the PDF has outlines and carries its fonts', () => {
  const pdf = readFileSync(pdfFile).toString('latin1')
  expect(pdf.startsWith('%PDF-')).toBe(true)
  expect(pdf).toMatch(/\/Outlines \d+ 0 R/)
  const fonts = pdf.match(/\/Type \/Font\b/g)?.length ?? 0
  expect(fonts).toBeGreaterThan(0)
  expect(pdf.match(/\/FontFile[23] /g)?.length ?? 0).toBeGreaterThanOrEqual(3)
})

test('the bonus has a page for each of the nine words, with its verse, a prayer and three questions', () => {
  const pages = readChapters(bonusFolder)
  expect(pages.map(({ title }) => title)).toEqual(book.words.map(({ word }) => word))
  const chapters = readChapters(editionFolder)
  for (const [at, { slug, number, blocks }] of pages.entries()) {
    expect(blocks.map(({ kind }) => kind)).toEqual([
      'quotation',
      'heading',
      'paragraph',
      'heading',
      'paragraph',
      'paragraph',
      'paragraph',
    ])
    expect({ slug, number, verse: blocks[0] }).toEqual({
      slug: chapters[at + 1]!.slug,
      number: at + 1,
      verse: chapters[at + 1]!.blocks[0],
    })
  }
  const pdf = readFileSync(new URL('bonus.pdf', bonusFolder)).toString('latin1')
  expect(pdf.startsWith('%PDF-')).toBe(true)
  // A title page, where Scripture is from, and the nine.
  expect(pdf.match(/\/Type \/Page\n/g)).toHaveLength(11)
})

/** Where Debian's package puts it. */
const jar = '/usr/share/java/epubcheck.jar'

test.skipIf(!existsSync(jar))('epubcheck finds nothing to complain about', () => {
  const report = execFileSync('java', ['-jar', jar, epubFile], { encoding: 'utf8', stdio: 'pipe' })
  expect(report).toContain('No errors or warnings detected.')
})
