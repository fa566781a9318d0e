// What the page of an order says of its files once a refund was asked for.
import { expect, test } from 'vitest'
import type { GuestPurchase } from '#contract/orders/guest-purchases.ts'
import { orderFacts, outcomeOf, overWords, parcelWords, releaseWords, untilWords } from './outcome.ts'

const noTerms = { returns_to: null, says_return_cost: false }

const withdrawal = {
  declared_at: '2026-11-29T12:00:00.000Z',
  state: 'waiting',
  waits_for: 'no_right',
  refusal: null,
  right: 'request',
} as const

const order = {
  status: 'completed',
  is_held: false,
  is_given_away: false,
  is_withdrawn: true,
  is_going_back: false,
  product: { is_digital: true },
  withdrawal,
} as GuestPurchase

test.each<[string, Partial<GuestPurchase>, title: string, files: RegExp]>([
  ['the author may refuse', {}, 'Refund Requested', /cannot be downloaded until the author has decided/],
  [
    'the law binds the author',
    { withdrawal: { ...withdrawal, waits_for: 'return', right: 'law' } },
    'You have withdrawn from this purchase',
    /cannot be downloaded any more/,
  ],
  [
    'the author may refund the paper alone',
    { refund_is_of_paper: true, withdrawal: { ...withdrawal, waits_for: 'downloaded', right: 'law' } },
    'Withdrawal Received',
    /cannot be downloaded until the author has decided/,
  ],
  [
    'the shop has promised it, and waits for the parcel',
    { withdrawal: { ...withdrawal, waits_for: 'return', right: 'promise' } },
    'Refund Requested',
    /cannot be downloaded any more/,
  ],
  [
    'the author has refunded all',
    { status: 'refunded', is_withdrawn: false, withdrawal: null },
    'This purchase was refunded',
    /cannot be downloaded any more/,
  ],
  [
    'the bank has not decided yet',
    { status: 'disputed' },
    'Your purchase',
    /^Your bank is looking into this payment\. Until it has decided, the book cannot be downloaded\.$/,
  ],
  [
    'the bank has decided for its customer',
    { status: 'disputed', is_dispute_lost: true },
    'This purchase is closed',
    /^Your bank has taken back money from this payment\. .*cannot be downloaded any more\.$/,
  ],
])('where %s, the page says whether the files open again', (_, change, title, files) => {
  const outcome = outcomeOf({ ...order, ...change }, noTerms)
  expect(outcome).toMatchObject({ state: 'ended', title, text: expect.stringMatching(files) })
})

test('an open dispute does not end a purchase on paper, and its page speaks of no files', () => {
  const product = { ...order.product, is_digital: false }
  expect(outcomeOf({ ...order, product, status: 'disputed' }, noTerms)).toEqual({
    state: 'ended',
    title: 'Your purchase',
    text: 'Your bank is looking into this payment.',
  })
})

test('the page of an order whose file is still to come says so', () => {
  const product = { ...order.product, release: null, download_url: null, files: [] }
  expect(releaseWords({ ...order, product }, true)).toBe('Its file is still to come.')
  expect(releaseWords({ ...order, product, is_over: true }, true)).toBeUndefined()
  expect(releaseWords({ ...order, product: { ...product, download_url: '/d' } }, true)).toBeUndefined()
})

test('the page of a pre-order that ended speaks of no files', () => {
  const product = { ...order.product, release: { on: '2027-02-15', is_partial: false } }
  const { text } = outcomeOf({ ...order, product, status: 'refunded', withdrawal: null }, noTerms)
  expect(text).not.toContain('download')
})

test('of paper the page says that it is ordered, who posts it and how long that takes; of a bundle’s paper part, what is left', () => {
  const product = { name: 'The Book', format: 'paperback', is_digital: false, release: null }
  const paper = { ...order, is_withdrawn: false, withdrawal: null, product } as GuestPurchase
  expect(outcomeOf(paper, noTerms)).toMatchObject({ state: 'bought', text: 'The Book is ordered.' })
  const words = parcelWords({ ...paper, own: null }, 'Anna', { min: 2, max: 4 })
  expect(words).toMatch(/^Anna will post the paperback to .*\. Delivered in 2\u2060–\u20604 working days\.$/)
  expect(parcelWords({ ...paper, own: null }, 'Anna', null)).not.toContain('Delivered')
  const coming = { ...product, format: 'bundle', release: { on: '2027-02-15', is_partial: true } }
  const waits = { ...paper, product: coming, own: null } as GuestPurchase
  expect(parcelWords(waits, 'Anna', null)).toMatch(
    /^Anna will post the printed part to .*\. Books on paper are posted together when the last one is out\.$/,
  )

  const partly = { ...withdrawal, state: 'partly', waits_for: 'downloaded', right: 'law' } as const
  const bundle = { ...order, is_withdrawn: false, withdrawal: partly }
  expect(outcomeOf(bundle, noTerms)).toMatchObject({
    state: 'bought',
    text: expect.stringMatching(/for the printed book\. The files stay yours\.$/),
  })
})

test('the page says what of the money went back, and nothing of it before', () => {
  const paid = { number: 7, amount: 23.8, refunded: 5, taken_by_bank: 0, currency: 'eur' }
  expect(orderFacts(paid).slice(1)).toEqual([
    ['Amount', '€23.80'],
    ['Refund', '−€5.00'],
  ])
  expect(orderFacts({ ...paid, refunded: 23.8, taken_by_bank: 18.8 }).slice(2)).toEqual([
    ['Refund', '−€5.00'],
    ['Taken back by your bank', '−€18.80'],
  ])
  expect(orderFacts({ ...paid, taken_by_bank: 5 }).slice(2)).toEqual([['Taken back by your bank', '−€5.00']])
  expect(orderFacts({ ...paid, refunded: 0 })).toHaveLength(2)
})

test('a refused request is shown with the author’s answer', () => {
  const refused = { ...withdrawal, state: 'refused', refusal: 'It was read whole.' } as const
  expect(outcomeOf({ ...order, is_withdrawn: false, withdrawal: refused }, noTerms)).toMatchObject({
    state: 'bought',
    text: expect.stringMatching(/The author does not refund it and says: “It was read whole\.”$/),
  })
})

test('who pays for sending a book back is said by the law’s withdrawal, where the terms say it', () => {
  const waits = (right: 'law' | 'promise') =>
    ({ ...order, withdrawal: { ...withdrawal, waits_for: 'return', right } }) as GuestPurchase
  const terms = { returns_to: 'A Street 1, Town', says_return_cost: true }
  const cost = 'You bear the direct cost of sending it back.'
  expect(outcomeOf(waits('law'), terms).text).toContain(`${cost} The address for the book: A Street 1, Town.`)
  expect(outcomeOf(waits('promise'), terms).text).not.toContain(cost)
  expect(outcomeOf(waits('law'), noTerms).text).not.toContain(cost)
})

test('the page names what opens the order longest, and once its time is over, what still does', () => {
  const [day, month, later] = ['2026-11-30T12:00:00Z', '2026-12-29T12:00:00Z', '2026-12-29T13:00:00Z']
  const until = (is_in_receipt: boolean, opened: Parameters<typeof untilWords>[1]) =>
    untilWords({ access_ends_at: day, last_link: { is_in_receipt, ends_at: month } }, opened, (time) => time)
  expect(until(true, { isLink: false })).toBe(`The link in your receipt opens this order until ${month}.`)
  expect(until(false, { isLink: false })).toBe(`Your link to this order works until ${month}.`)
  expect(until(true, { isLink: false, newLinkUntil: later })).toBe(
    `Your link to this order works until ${later}.`,
  )
  expect(until(true, { isLink: true })).toBe(`This link works until ${day}.`)

  const over = (last_link: GuestPurchase['last_link'], isLink: boolean, sendsMail: boolean) =>
    overWords({ last_link }, { isLink, sendsMail }, (time) => time)
  const receipt = { is_in_receipt: true, ends_at: month }
  expect(over(receipt, false, true)).toContain(`The link in your receipt opens yours until ${month}. A code`)
  expect(over(null, false, true)).toContain('until the day that the receipt names. A code')
  expect(over(receipt, true, true)).toMatch(/^The time of this link is over\. A code/)
  for (const isLink of [true, false])
    expect(over(null, isLink, false)).toMatch(/please write to the author: this shop sends no email yet\.$/i)
})
