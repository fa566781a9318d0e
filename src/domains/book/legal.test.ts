// The legal pages: when they are shown, and what they say.
import { expect, test } from 'vitest'
import { legalPages } from '#content/legal-pages.ts'
import { loadWording, withTexts } from '#words/wording.ts'
import { sampleBook } from '#content/sample-book.ts'
import { readFieldProblems } from '#contract/field-rules.ts'
import type { ProblemDocument } from '#contract/problems.ts'
import { filledBlanks, filledLegal, publishLegal } from '#test/legal.ts'
import { openTestShop } from '#test/shop.ts'
import { type BookDocument } from '#contract/book/book.ts'
import { bookDocument } from '#contract/book/checked-book.ts'
import { fillBlanks, legalPageNames, type Legal } from '#contract/book/legal.ts'
import { shownLegalPages, type ShownLegalPage } from '#contract/book/shown-book.ts'
import { showLegal, showLegalPages as show } from './legal-pages.ts'

const showLegalPages = (document: BookDocument, hasWithdrawal = true) =>
  show(document, { hasWithdrawal, lettersProgram: null, givesExcerpt: false, digitalSeller: 'author' })

const textOf = (page: ShownLegalPage | undefined) => JSON.stringify(page?.blocks)

function refusedFields(legal: Legal) {
  const { error } = bookDocument.safeParse({ ...sampleBook, rating: null, legal })
  return error ? readFieldProblems(error) : {}
}

test('the imprint asks for the VAT ID, and for no number of the tax office', () => {
  const legal = filledLegal({ blanks: { ...filledBlanks, tax_number: 'DE123456789' } })
  const [, , imprint] = showLegalPages({ ...sampleBook, legal })
  expect(textOf(imprint)).toContain('VAT ID: DE123456789')
  expect(textOf(imprint)).not.toMatch(/tax number/i)
})

test('no page is shown until it is switched on and complete', () => {
  expect(showLegalPages(sampleBook)).toEqual([])
  expect(showLegalPages({ ...sampleBook, legal: filledLegal() }).map(({ name }) => name)).toEqual(
    legalPageNames,
  )
  const withoutHost = filledLegal({ blanks: { ...filledBlanks, host: '' } })
  const shown = showLegalPages({ ...sampleBook, legal: withoutHost }).map(({ name }) => name)
  expect(shown).toEqual(['terms', 'imprint'])
})

test('books go back to the seller’s address only where a page shows it', () => {
  const legal = filledLegal()
  expect(showLegal({ legal })).toMatchObject({
    returns_to: 'A. *Seller* & Co_, 1 Some Street, 12345 Town',
    says_return_cost: true,
  })
  legal.pages.imprint.is_shown = false
  legal.pages.terms.text = '{seller}'
  legal.pages.privacy.text = '{seller}'
  expect(showLegal({ legal })).toMatchObject({ returns_to: null, says_return_cost: false })
  expect(showLegal(sampleBook).returns_to).toBe(null)
})

test('publishing is refused with the name of the blank that is open, only for pages that are on', () => {
  expect(refusedFields(legalPages)).toEqual({})
  expect(refusedFields(filledLegal())).toEqual({})
  expect(refusedFields(filledLegal({ blanks: { ...filledBlanks, host: '', law: '' } }))).toEqual({
    'legal.blanks.law': 'Please fill this in: the page “Terms” shows it.',
    'legal.blanks.host': 'Please fill this in: the page “Privacy” shows it.',
  })
  const titled = filledLegal({ blanks: { ...filledBlanks, host: '' } })
  titled.pages.privacy.title = 'Confidentialité'
  expect(refusedFields(titled)).toEqual({
    'legal.blanks.host': 'Please fill this in: the page “Privacy” shows it.',
  })
  const misspelt = filledLegal()
  misspelt.pages.imprint.text = '{adress}'
  expect(refusedFields(misspelt)).toEqual({
    'legal.pages.imprint.text': '{adress} is none of the blanks that are filled in.',
  })
  const silent = filledLegal({ consent: { is_asked: true, text: '' } })
  expect(Object.keys(refusedFields(silent))).toEqual(['legal.consent.text'])
})

test('a page that explains the right of withdrawal needs the blanks of that text, too', () => {
  const consent = { is_asked: true, text: 'I agree.' }
  const silent = filledLegal({ consent, blanks: { ...filledBlanks, email: '' } })
  silent.pages.terms.text = '{seller}\n\n{withdrawal}'
  expect(refusedFields(silent)).toMatchObject({
    'legal.blanks.email': 'Please fill this in: the page “Terms” shows it.',
  })
  expect(showLegalPages({ ...sampleBook, legal: silent }).map(({ name }) => name)).not.toContain('terms')
  silent.blanks.email = 'shop@example.com'
  const [terms] = showLegalPages({ ...sampleBook, legal: silent })
  expect(textOf(terms)?.match(/mailto:shop@example.com/g)).toHaveLength(2)
})

test('values stand in the page as they were typed, and lines without a value are left out', () => {
  const [terms, privacy, imprint] = showLegalPages({ ...sampleBook, legal: filledLegal() })
  expect(textOf(terms)).toContain('A. *Seller* & Co_')
  expect(textOf(imprint)).toContain('"1 Some Street"},{"isLineBreak":true},{"text":"12345 Town"')
  expect(textOf(imprint)).toContain('mailto:shop@example.com')
  expect(textOf(imprint)).not.toMatch(/Phone|Register|VAT ID|[{}][a-z_]+[{}]/)
  expect(textOf(privacy)).toContain('for 2 years')
  expect(textOf(privacy)).toContain('deleted after 72 hours')
  expect(textOf(privacy)).toContain('gives you a free copy or a discount code')
  expect(textOf(privacy)).not.toContain('For us this is')
  const hostile = filledLegal({ blanks: { ...filledBlanks, seller: '{law} [x](javascript:alert(1)) <b>' } })
  expect(textOf(showLegalPages({ ...sampleBook, legal: hostile })[2])).toContain(
    '{law} [x](javascript:alert(1)) <b>',
  )
  expect(fillBlanks('a {x}\nb {y}\nc {z}', { x: '1', y: '' })).toBe('a 1\nc {z}')
})

test('promises follow the shop: money back, and withdrawal where the law gives it, with or without consent', () => {
  const legal = filledLegal({ consent: { is_asked: true, text: 'I agree to *all*.' } })
  const [asking] = showLegalPages({ ...sampleBook, legal })
  expect(textOf(asking)).toContain('within 30 days')
  expect(textOf(asking)).toContain('“I agree to *all*.”')
  expect(textOf(asking)).toContain('Model withdrawal form')
  const plain = { ...sampleBook, legal: filledLegal(), refund_days: 0 }
  const [terms] = showLegalPages(plain)
  expect(textOf(terms)).toContain('Model withdrawal form')
  expect(textOf(terms)).toContain('/withdraw')
  expect(textOf(terms)).toContain('“Withdraw from contract here”')
  expect(textOf(terms)).not.toMatch(/ask for a refund|Before you buy digital content/)
  expect(textOf(showLegalPages(plain, false)[0])).not.toMatch(/ask for a refund|[Ww]ithdraw/)
  const silent = filledLegal({ blanks: { ...filledBlanks, email: '' } })
  silent.pages.terms.text = '{withdrawal}'
  expect(textOf(showLegalPages({ ...sampleBook, legal: silent })[0])).not.toMatch(/mailto|[{}][a-z_]+[{}]/)
})

test('publishing is refused while a blank is open, and shows the pages to everyone otherwise', async () => {
  await using shop = await openTestShop()
  const admin = await shop.person({ role: 'admin' })
  const pages = async () => shownLegalPages.parse(await (await shop.call('GET', '/api/book/legal')).json())
  expect(await pages()).toEqual([])
  const refused = await publishLegal(admin, filledLegal({ blanks: { ...filledBlanks, seller: '' } }))
  expect(refused.status).toBe(422)
  const { fields } = (await refused.json()) as ProblemDocument
  expect(Object.keys(fields ?? {})).toEqual(['legal.blanks.seller'])
  expect(await pages()).toEqual([])
  expect((await publishLegal(admin, filledLegal())).status).toBe(200)
  expect((await pages()).map(({ name }) => name)).toEqual(legalPageNames)
})

test('what the shop fills in is in English also for a German book, as the editor says', async () => {
  const german = await loadWording({ language: 'de', texts: {} })
  const [terms] = withTexts(german, () => showLegalPages({ ...sampleBook, legal: filledLegal() }))
  expect(textOf(terms)).toContain('The money-back guarantee holds once for each product')
  expect(textOf(terms)).not.toContain('Geld-zurück-Garantie')
})
