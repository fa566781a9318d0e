import { expect, test } from 'vitest'
import { sampleBook } from '#content/sample-book.ts'
import { copyDocument } from './use-draft.ts'
import { fieldTextsOf } from './field-texts.ts'
import { documentSchema, setAt, valueAt, type Schema } from './schema-fields.tsx'

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

function pathsIn(schema: Schema, path = ''): string[] {
  if (byHand.test(path)) return []
  const { properties, items } = schema.anyOf?.[0] ?? schema
  const inner = Object.entries({ ...properties, ...(items && { '*': items }) }).flatMap(([name, each]) =>
    typeof each === 'object' && !Array.isArray(each) ? pathsIn(each, path ? `${path}.${name}` : name) : [],
  )
  return path ? [path, ...inner] : inner
}

test('each field of the document has a name in the form, and each name a field', () => {
  const named = Object.keys(fieldTextsOf(sampleBook))
  const paths = pathsIn(documentSchema)
  const fields = paths.filter((path) => !paths.some((other) => other.startsWith(`${path}.`)))
  expect(fields.filter((path) => !named.includes(path))).toEqual([])
  expect(named.filter((name) => !paths.includes(name))).toEqual([])
})
