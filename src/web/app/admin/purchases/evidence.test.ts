import { expect, test } from 'vitest'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import type { Evidence } from '#contract/orders/admin-orders.ts'
import type { ShownBook } from '#contract/book/shown-book.ts'
import { BookContext } from '../../../shop.ts'
import EvidencePage from './evidence.tsx'

const user_id = '01a22be3-1cc7-72c3-855f-87ef7dda8cc1'

function paperOf(account: Evidence['account']) {
  const evidence = {
    id: 'p',
    number: 1001,
    user_id,
    email: 'ruth@example.com',
    display_name: 'Ruth',
    account,
    product: { name: 'The Book', format: 'digital' },
    status: 'disputed',
    created_at: '2026-03-01T10:00:00Z',
    currency: 'usd',
    amount: 9.9,
    refunded: 0,
    taken_by_bank: 0,
    refund_days: 30,
    sold_by: 'author',
    mails: [],
    downloads: [],
    adjustments: [],
    events: [],
  } as unknown as Evidence
  const page = createElement(EvidencePage, { loaderData: evidence } as Parameters<typeof EvidencePage>[0])
  const book = { title: 'The Book' } as ShownBook
  const inShop = createElement(BookContext, { value: book }, page)
  return renderToStaticMarkup(createElement(MemoryRouter, null, inShop))
}

test('the evidence names an account where the buyer has used one, and none of a guest', () => {
  const created_at = '2026-02-01T10:00:00Z'
  const used = paperOf({ created_at, email_confirmed_at: created_at, last_sign_in_at: null })
  const guest = paperOf(null)
  for (const words of ['Account since', user_id]) {
    expect(used).toContain(words)
    expect(guest).not.toContain(words)
  }
  expect(guest).toContain('ruth@example.com')
})
