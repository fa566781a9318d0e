import { expect, test } from 'vitest'
import { legalTexts } from '#content/legal-pages.ts'
import { sampleBook } from '#content/sample-book.ts'
import { copyDocument } from './draft.ts'
import { z } from 'zod'
import { bookFields } from '#contract/book/book.ts'
import { enteredType } from '../../field-types.ts'
import { valueAt } from '../../schema-fields.tsx'
import { setAt } from './draft-inputs.tsx'
import { fieldTextsOf } from './field-texts.ts'
import { catalogue } from '#words/catalogue.ts'
import { findTexts, isShownText, placeNames, placeOf } from './shown-texts.tsx'
import { mark } from './draft-fields.tsx'

test('a field reads and changes what is at its path, and nothing where there is no such place', () => {
  const document = copyDocument(sampleBook)
  setAt(document, 'title', 'Mine')
  setAt(document, 'words.1.line', 'A line')
  setAt(document, 'words.999.line', 'Nowhere')
  expect(document).toMatchObject({ title: 'Mine', author: sampleBook.author })
  expect(document.words).toEqual(sampleBook.words.with(1, { ...sampleBook.words[1]!, line: 'A line' }))
  expect(valueAt(document, 'words.1.line')).toBe('A line')
  expect(valueAt(document, 'words.999.line')).toBeUndefined()
})

/** Parts that are written by hand have these. */
const byHand = /^(?:cover|looks|author\.portrait|sections|legal\.consent\.text|texts)\b/

function pathsIn(schema: z.core.$ZodType, path = ''): string[] {
  if (byHand.test(path)) return []
  const type = enteredType(schema)
  const shape: Record<string, z.core.$ZodType> =
    type instanceof z.ZodObject ? type.shape : type instanceof z.ZodArray ? { '*': type.element } : {}
  const inner = Object.entries(shape).flatMap(([name, each]) =>
    pathsIn(each, path ? `${path}.${name}` : name),
  )
  return path ? [path, ...inner] : inner
}

test('each field of the document has a name in the form, and each name a field', () => {
  const named = Object.keys(fieldTextsOf(sampleBook))
  const paths = pathsIn(bookFields)
  const fields = paths.filter((path) => !paths.some((other) => other.startsWith(`${path}.`)))
  expect(fields.filter((path) => !named.includes(path))).toEqual([])
  expect(named.filter((name) => !paths.includes(name))).toEqual([])
})

test('a page names English words in a book of another language: the template, or what the shop fills in', () => {
  const labelOf = (language: string, text: string) => {
    const document = { ...copyDocument(sampleBook), language }
    document.legal.pages.terms.text = text
    return fieldTextsOf(document)['legal.pages.terms.is_shown']
  }
  const own = 'Ich verkaufe Bücher.'
  expect(labelOf('de', legalTexts.terms)).toEqual({ label: 'Show a page: Terms (English text)' })
  expect(labelOf('de', `${own}\n\n{withdrawal}`)).toEqual({ label: 'Show a page: Terms (partly in English)' })
  expect(labelOf('de', own)).toEqual({ label: 'Show a page: Terms' })
  expect(labelOf('en', legalTexts.terms)).toEqual({ label: 'Show a page: Terms' })
})

const find = (query: string, given: Partial<Parameters<typeof findTexts>[0]> = {}) =>
  findTexts({ standards: catalogue, query, place: '', changed: {}, isChangedOnly: false, ...given })

test('every text has a place with a name', () => {
  const places = new Set(Array.from(catalogue.keys(), placeOf))
  expect([...places].toSorted()).toEqual(Object.keys(placeNames).toSorted())
})

test('a text is found by what one sees, without regard to case, accents and quotation marks', () => {
  expect(find('order your copy TODAY')[0]).toBe('home.order')
  expect(find("couldn't load")).toContain('home.loadFailed')
  expect(find('Zahle jetzt', { changed: { 'home.buy': 'Zähle  jetzt' } })).toEqual(['home.buy'])
  expect(find('xylophone quartet')).toEqual([])
})

test('what stands in the place of a placeholder may be typed', () => {
  expect(find('5 out of 5 stars')).toContain('home.rating')
  expect(find('Buy The Long Road')).toContain('guest.title')
})

test.each([
  ['Learn More', 'en', true],
  ['Buy The Long Road Home', 'en', true],
  ['Saved by Grace', 'en', false],
  ['Das Lied von der Erde', 'de', false],
] as const)('that %j is a text of the pages, in %s: %j', async (words, language, isText) => {
  expect(await isShownText(words, { ...sampleBook, language })).toBe(isText)
})

test('one page, or the changed texts, are listed alone', () => {
  expect(find('', { place: 'notFound' }).every((key) => key.startsWith('notFound.'))).toBe(true)
  expect(find('', { changed: { 'home.buy': 'Get it' }, isChangedOnly: true })).toEqual(['home.buy'])
  expect(find('').length).toBe(catalogue.size)
})

test.each([
  ['strong', 'one two', 4, 7, 'one **two**', 6, 9],
  ['emphasis', 'one', 3, 3, 'one**', 4, 4],
  ['link', 'a page', 2, 6, 'a [page](https://)', 3, 7],
  ['list', 'one\ntwo\nthree', 1, 6, '- one\n- two\nthree', 3, 10],
  ['heading', 'one\ntwo', 4, 4, 'one\n## two', 7, 7],
  ['quotation', '', 0, 0, '> ', 2, 2],
] as const)('%s is written around %j', (wanted, text, start, end, expected, from, to) => {
  expect(mark(text, start, end, wanted)).toEqual({ text: expected, from, to })
})
