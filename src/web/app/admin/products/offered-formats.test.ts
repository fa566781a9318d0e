import { expect, test } from 'vitest'
import type { AdminProduct } from '#contract/catalog/admin-products.ts'
import { offeredFormats } from './product-fields.tsx'

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
