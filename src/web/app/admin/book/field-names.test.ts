import { expect, test } from 'vitest'
import { describeProblems, fieldName } from './changes.ts'

test('a field is named as its part of the form is, with its place in a list', () => {
  expect(fieldName('description')).toBe('Description')
  expect(fieldName('author.name')).toBe('Name of the author')
  expect(fieldName('preview.chapters.1.title')).toBe('Preview 2, title')
  expect(fieldName('legal.blanks.seller')).toBe('Legal pages, seller')
})

test('the first fields with problems are named, and how many more there are', () => {
  expect(describeProblems({ description: 'x' })).toBe('Please correct: Description.')
  const several = { description: 'x', 'author.name': 'x', title: 'x', language: 'x' }
  expect(describeProblems(several)).toBe(
    'Please correct: Description; Name of the author; Title; and 1 more.',
  )
})
