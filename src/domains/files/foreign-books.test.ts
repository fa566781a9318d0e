// Books by other programs (test/books/README.md): each is accepted as it is, and read as a person would read it.
import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { expected } from '#test/books/expected.ts'
import { openBookReader, outline } from '#test/read-books.ts'

const folder = fileURLToPath(new URL('../../../test/books/', import.meta.url))
const books = await openBookReader()
afterAll(() => books[Symbol.asyncDispose]())

/** What these programs do wrong, or the hand that zipped them. */
const findingsOf: Record<string, unknown[]> = {
  'hand-made-psalmy.epub': [
    expect.stringMatching(/packed anew/),
    expect.stringMatching(/names some of its files differently.*“text\/start\.xhtml”/),
  ],
  'html-to-epub-fables.epub': [expect.stringMatching(/^1 of the chapters .* not in its list of files/)],
}

test('every book of the folder has its expectation', async () => {
  const files = (await readdir(folder)).filter((name) => /\.(epub|mobi)$/.test(name))
  expect(files.toSorted()).toEqual(Object.keys(expected).toSorted())
  expect(files.length).toBeGreaterThanOrEqual(25)
})

test.each(Object.entries(expected))('%s is accepted and read', async (name, meant) => {
  const read = await books.read(folder + name)
  const { book, cover } = read
  const { title, subtitle, authors, language, description } = book
  const first = book.firstChapter === null ? undefined : book.chapters[book.firstChapter]
  const begins = first?.markdown.startsWith(meant.begins ?? '') ? meant.begins : first?.markdown.slice(0, 80)
  expect({ title, subtitle, authors, language, description, chapters: outline(read) }).toEqual({
    subtitle: undefined,
    description: undefined,
    ...meant,
    begins: undefined,
    hasCover: undefined,
  })
  expect({ hasCover: cover !== undefined, begins: begins ?? null }).toEqual({
    hasCover: meant.hasCover ?? false,
    begins: meant.begins,
  })
  // What is read is whole words without the numbers and marks that stand around them.
  expect(first?.title ?? '').not.toMatch(/…$/)
  const findings = (await books.check(folder + name)).filter((finding) => !finding.startsWith('MOBI is'))
  expect(findings).toEqual(findingsOf[name] ?? [])
})
