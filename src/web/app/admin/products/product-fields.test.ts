import { expect, test } from 'vitest'
import type { AdminProduct } from '#contract/catalog/products.ts'
import { cardsTexts } from '#words/buying.ts'
import { cardLines } from '../../../product/offers.ts'
import {
  draftGapWords,
  draftProduct,
  emptyDraft,
  offeredFormats,
  missingSteps,
  saleChecklist,
  type ProductDraft,
} from './product-fields.tsx'

const file = (title: string, file_format: 'epub' | 'pdf') => ({ title, file_format })
const saved = (more: object) =>
  ({
    id: 'x',
    parts: [],
    editions: [],
    is_sold_out: false,
    cover_url: null,
    ...more,
  }) as unknown as AdminProduct

test('the card shows what is typed, with the stored files', () => {
  const draft = { ...emptyDraft, name: 'A book', price: 9 }
  const ebook = saved({
    id: 'e',
    format: 'digital',
    editions: [file('A', 'pdf'), file('A', 'epub'), file('A', 'pdf')],
  })
  expect(draftProduct(draft, undefined, [])).toMatchObject({
    ships: true,
    is_digital: false,
    file_formats: [],
  })
  expect(draftProduct({ ...draft, format: 'digital' }, ebook, [ebook])).toMatchObject({
    name: 'A book',
    price: 9,
    ships: false,
    is_digital: true,
    file_formats: ['pdf', 'epub'],
    bonuses: [],
  })
  const paper = saved({ id: 'p', format: 'paperback' })
  const editions = [file('Prayers', 'pdf'), file('Old', 'pdf')]
  const bundle = saved({ id: 'b', format: 'bundle', parts: ['e', 'p'], editions })
  expect(draftProduct({ ...draft, format: 'bundle' }, bundle, [ebook, paper, bundle])).toMatchObject({
    ships: true,
    is_digital: true,
    holds: ['digital', 'paperback'],
    file_formats: ['pdf', 'epub'],
    bonuses: ['Prayers'],
  })
})

test('what keeps a product off the page is said beside its card, as it is typed', () => {
  const draft = { ...emptyDraft, name: 'A book', price: 9, format: 'digital' as const }
  const empty = saved({ format: 'digital', delivery_gap: 'no_file', release_gap: 'no_file' })
  const noFile = 'Not on the page: it has no file yet.'
  expect(draftGapWords(draft, undefined)).toBe(noFile)
  expect(draftGapWords(draft, empty)).toBe(noFile)
  expect(draftGapWords({ ...draft, release_on: '2027-01-01' }, empty)).toBeUndefined()
  expect(draftGapWords({ ...draft, format: 'paperback' }, empty)).toBeUndefined()
  expect(draftGapWords({ ...draft, format: 'bundle' }, empty)).toBe('Not on the page: it holds nothing yet.')
  const part = { format: 'bundle', delivery_gap: 'part_without_file', release_gap: 'part_without_file' }
  expect(draftGapWords({ ...draft, format: 'bundle' }, saved(part))).toBe(
    'Not on the page: a part of it has no file yet.',
  )
  const lost = { format: 'digital', delivery_gap: 'lost_file', release_gap: 'lost_file' }
  expect(draftGapWords(draft, saved({ ...lost, editions: [file('A', 'pdf')] }))).toMatch(/a file was lost/)
  const whole = { format: 'digital', delivery_gap: null, release_gap: null }
  expect(draftGapWords(draft, saved({ ...whole, editions: [file('A', 'pdf')] }))).toBeUndefined()
})

test('the card promises no download of what has no file', () => {
  const draft = { ...emptyDraft, name: 'A book', price: 9, format: 'digital' as const }
  const ebook = saved({ id: 'e', format: 'digital', release_gap: 'no_file' })
  const lines = (more: Partial<ProductDraft>, product: AdminProduct) =>
    cardLines(draftProduct({ ...draft, ...more }, product, []))
  expect(lines({}, ebook)).not.toContain(cardsTexts.instantDownload)
  expect(lines({ release_on: '2027-01-01' }, ebook)).not.toContain(cardsTexts.instantDownload)
  expect(lines({}, saved({ id: 'e', format: 'digital', editions: [file('A', 'pdf')] }))).toContain(
    cardsTexts.instantDownload,
  )
})

function product(
  id: string,
  format: AdminProduct['format'],
  files: ('epub' | 'pdf')[],
  parts: string[] = [],
) {
  const edition = {
    title: id,
    file_size: 1,
    edition: 1,
    changes: '',
    is_announced: false,
    findings: [],
    is_lost: false,
    created_at: '2026-07-30T00:00:00.000Z',
  }
  const editions = files.map((file_format) => ({ ...edition, id: file_format, file_format }))
  return { id, format, parts, editions }
}

test('a bundle offers the files of its parts and its own, and paper none', () => {
  const ebook = product('ebook', 'digital', ['epub', 'pdf', 'epub'])
  const paper = product('paper', 'paperback', ['pdf'])
  const other = product('other', 'digital', ['pdf'])
  const bundle = product('bundle', 'bundle', ['pdf'], ['ebook', 'paper'])
  const bare = product('bare', 'bundle', [], ['paper'])
  const all = [ebook, paper, other, bundle, bare]
  expect(all.map((each) => offeredFormats(each, all))).toEqual([
    ['EPUB', 'PDF'],
    [],
    ['PDF'],
    ['EPUB', 'PDF'],
    [],
  ])
})

const epub = {
  id: '1',
  title: 'A',
  file_format: 'epub',
  file_size: 1,
  findings: [],
  created_at: '2026',
} as const
const soldEbook = { format: 'digital', editions: [epub], release_gap: null } as unknown as AdminProduct

const checklist = (draft: ProductDraft, saved?: AdminProduct) =>
  saleChecklist(draft, saved, { title: 'A book', is_sample: false })

const missing = (...given: Parameters<typeof checklist>) =>
  checklist(...given)
    .filter(({ isDone, notYet }) => !isDone && !notYet)
    .map(({ label }) => label)

test('an ebook needs a name, a price and a file, a book on paper no file; a description is recommended', () => {
  const draft = { ...emptyDraft, name: 'A book', price: 0 }
  expect(missing(emptyDraft, undefined)).toEqual(['A name', 'A price'])
  expect(missing({ ...draft, format: 'digital' }, undefined)).toEqual(['A file'])
  expect(missing({ ...draft, format: 'digital' }, soldEbook)).toEqual([])
  expect(missing(draft, undefined)).toEqual([])
  expect(checklist(draft, undefined).filter(({ isDone }) => !isDone)).toMatchObject([
    { label: 'A description', notYet: 'worth having' },
  ])
  const preorder = { ...draft, format: 'digital' as const, release_on: '2027-01-01' }
  expect(missing(preorder, undefined)).toEqual([])
  expect(checklist(preorder, undefined)).toContainEqual(
    expect.objectContaining({ label: 'A file', notYet: 'needed by the day of the release' }),
  )
  expect(missingSteps(checklist({ ...draft, name: ' ' }, undefined))).toBe(1)
})

test('another title is recommended a cover of its own', () => {
  const labels = (name: string, cover: object | null) =>
    checklist({ ...emptyDraft, name }, { ...soldEbook, cover } as AdminProduct)
      .filter(({ isDone }) => !isDone)
      .map(({ label }) => label)
  expect(labels('A guide', null)).toContain('A cover of its own')
  expect(labels('A guide', {})).not.toContain('A cover of its own')
  expect(labels('A book (Paperback)', null)).not.toContain('A cover of its own')
  const ofSample = { title: 'The sample', is_sample: true }
  expect(saleChecklist({ ...emptyDraft, name: 'A guide' }, undefined, ofSample)).not.toContainEqual(
    expect.objectContaining({ label: 'A cover of its own' }),
  )
})

test('a bundle needs products, and all of them their files', () => {
  const draft = { ...emptyDraft, name: 'Both', price: 9, format: 'bundle' as const }
  const bundle = { ...soldEbook, format: 'bundle' as const }
  expect(missing(draft, undefined)).toEqual(['Products in it'])
  expect(missing(draft, bundle)).toEqual([])
  const [, , step] = checklist(draft, { ...bundle, release_gap: 'part_without_file' })
  expect(step).toMatchObject({ isDone: false, hint: 'One of its products has no file yet.' })
})
