import { expect, test } from 'vitest'
import type { AdminProduct } from '#contract/catalog/admin-products.ts'
import { draftProduct } from './product-fields.tsx'
import { emptyDraft } from './sale-checklist.ts'

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
