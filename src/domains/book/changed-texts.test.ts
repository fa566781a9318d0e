// The author's words for the texts of pages and emails: checked, published with the book, read by every page and email.
import { afterAll, expect, test } from 'vitest'
import { sampleBook } from '#content/sample-book.ts'
import type { FieldProblems } from '#contract/field-rules.ts'
import { openTestShop } from '#test/shop.ts'
import type { DraftState } from '#contract/book/book.ts'
import { readDocument } from './published-book.ts'

const shop = await openTestShop()
afterAll(() => shop[Symbol.asyncDispose]())
const admin = await shop.person({ role: 'admin' })

async function call(method: string, path: string, body?: unknown) {
  const response = await admin.call(method, `/api/admin/book/${path}`, {
    ...(body !== undefined && { body }),
  })
  const read = (await response.json()) as DraftState & { fields?: FieldProblems }
  return { status: response.status, ...read }
}

async function save(texts: Record<string, string>) {
  const { revision } = await call('GET', 'draft')
  return call('PUT', 'draft', { revision, document: { ...sampleBook, rating: null, texts } })
}

async function publish(texts: Record<string, string>) {
  const { revision } = await save(texts)
  return call('POST', 'publish', { revision })
}

test('an email has the author’s words, as text, from the moment they are published', async () => {
  const texts = {
    'emails.receipt.subject': 'Danke für {product} <b>',
    'emails.receipt.title': '<script>alert(1)</script> Danke',
    'emails.shared.sentBy': 'Gesendet von {shop}!',
  }
  const { id: product_id, name } = await shop.product('digital')
  await save(texts)
  const early = await shop.person()
  await early.buy(product_id)
  expect((await shop.mailbox.to(early.email)).subject).toBe(`Your receipt for ${name}`)

  expect((await publish(texts)).status).toBe(200)
  const reader = await shop.person()
  await reader.buy(product_id)
  const mail = await shop.mailbox.to(reader.email)
  expect(mail.subject).toBe(`Danke für ${name} <b>`)
  expect(mail.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; Danke')
  expect(mail.html).not.toContain('<script>')
  expect(mail.text).toMatch(/Gesendet von .+!\nhttp/)
  expect(mail.text).toContain('Your book is ready.')
})

test('what is wrong is kept in the draft, named at publishing, and never shown', async () => {
  const texts = {
    'home.moreChapters.other': 'und weitere',
    'home.buy': 'Kaufen {wen}',
    'home.send': 'a\r\nBcc: x@example.com',
    'home.learnMore': 'x'.repeat(200),
  }
  const saved = await save(texts)
  expect(saved.document.texts).toEqual(texts)
  const refused = await publish(texts)
  expect(refused.status).toBe(422)
  expect(refused.fields).toEqual({
    'texts.home.moreChapters.other': expect.stringContaining('{count} is missing'),
    'texts.home.buy': expect.stringContaining('{wen} is not known'),
    'texts.home.send': 'This must be one line.',
    'texts.home.learnMore': 'This must be at most 120 characters.',
  })
  expect((await call('GET', 'draft')).published.texts).not.toHaveProperty(['home.buy'])
})

test.each([
  [{ 'dashboard.refundQuestion': 'Really?' }, 'document.texts.dashboard.refundQuestion', /cannot be changed/],
  [{ 'buying.agree': 'OK' }, 'document.texts.buying.agree', /cannot be changed/],
  [{ 'home.nothing': 'x' }, 'document.texts.home.nothing', /no such text/],
  [{ 'home.buy': 'x'.repeat(1_000_000) }, 'document.texts.home.buy', /at most/],
])('%o is refused, also in a draft', async (texts, field, says) => {
  const { status, fields } = await save(texts)
  expect(status).toBe(422)
  expect(fields?.[field]).toMatch(says)
})

test('a draft with other words can be discarded, and an empty text is the standard one', async () => {
  const { published } = await publish({ 'home.buy': 'Kaufen', 'home.send': '  ' })
  expect(published.texts).toEqual({ 'home.buy': 'Kaufen', 'home.send': '  ' })
  const { revision } = await save({ 'home.buy': 'Nehmen' })
  const { document } = await call('POST', 'discard', { revision })
  expect(document.texts).toEqual({ 'home.buy': 'Kaufen', 'home.send': '  ' })
})

test('a book that was stored before texts could be changed, or with texts of another version, is read', () => {
  const { texts: _none, ...older } = sampleBook
  expect(readDocument(older).texts).toEqual({})
  const other = { 'home.buy': 'Kaufen', 'home.goneSince': 'x', 'buying.agree': 'x', 'home.send': 7 }
  expect(readDocument({ ...older, texts: other }).texts).toEqual({ 'home.buy': 'Kaufen' })
  expect(readDocument({ ...older, texts: 'none' }).texts).toEqual({})
})
