import { expect, test } from 'vitest'
import { sampleBook } from '#content/sample-book.ts'
import { copyDocument } from './use-draft.ts'
import { draftFields } from './draft-fields.tsx'

test('a field reads and changes the text at its place, and shows its problem', () => {
  let document = copyDocument(sampleBook)
  const fields = () =>
    draftFields({
      document,
      problems: { 'words.1.line': 'Too long.' },
      change(edit) {
        document = copyDocument(document)
        edit(document)
      },
    })
  fields()('title').onChange('Mine')
  fields()('words.1.line').onChange('A line')
  expect(document).toMatchObject({ title: 'Mine', author: sampleBook.author })
  expect(document.words[1]).toEqual({ ...sampleBook.words[1], line: 'A line' })
  expect(fields()('words.1.line')).toMatchObject({ value: 'A line', problem: 'Too long.' })
  expect(fields()('words.99.line').value).toBe('')
})
