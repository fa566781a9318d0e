import { expect, test } from 'vitest'
import type { AdminProduct } from '#contract/catalog/admin-products.ts'
import { emptyDraft, missingSteps, saleChecklist } from './sale-checklist.ts'

const file = {
  id: '1',
  title: 'A',
  file_format: 'epub',
  file_size: 1,
  findings: [],
  created_at: '2026',
} as const
const product = { format: 'digital', editions: [file], delivery_gap: null } as unknown as AdminProduct

const missing = (...given: Parameters<typeof saleChecklist>) =>
  saleChecklist(...given)
    .filter(({ isDone, isOptional }) => !isDone && !isOptional)
    .map(({ label }) => label)

test('an ebook needs a name, a price and a file, a book on paper no file; a description is recommended', () => {
  const draft = { ...emptyDraft, name: 'A book', price: 0 }
  expect(missing(emptyDraft, undefined)).toEqual(['A name', 'A price'])
  expect(missing({ ...draft, format: 'digital' }, undefined)).toEqual(['A file'])
  expect(missing({ ...draft, format: 'digital' }, product)).toEqual([])
  expect(missing(draft, undefined)).toEqual([])
  expect(saleChecklist(draft, undefined).filter(({ isDone }) => !isDone)).toMatchObject([
    { label: 'A description', isOptional: true },
  ])
  expect(missingSteps(saleChecklist({ ...draft, name: ' ' }, undefined))).toBe(1)
})

test('a bundle needs products, and all of them their files', () => {
  const draft = { ...emptyDraft, name: 'Both', price: 9, format: 'bundle' as const }
  const bundle = { ...product, format: 'bundle' as const }
  expect(missing(draft, undefined)).toEqual(['Products in it'])
  expect(missing(draft, bundle)).toEqual([])
  const [, , step] = saleChecklist(draft, { ...bundle, delivery_gap: 'part_without_file' })
  expect(step).toMatchObject({ isDone: false, hint: 'One of its products has no file yet.' })
})
