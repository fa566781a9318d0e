import { expect, test } from 'vitest'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import type { OrderDetail } from '#contract/orders/admin-orders.ts'
import { someAddress } from '#test/addresses.ts'
import { ShopContext, type Shop } from '../../../shop.ts'
import { eventsOf, ShipmentCard, verdictOf } from './delivery.tsx'

const bought = (change: Partial<OrderDetail> = {}) =>
  ({
    status: 'completed',
    created_at: '2026-03-01T10:00:00Z',
    product: { id: 'p', name: 'The Book', format: 'digital' },
    shipment: null,
    mails: [],
    downloads: [],
    sign_ins: { failed: 0, last_failed_at: null, last_at: null },
    dispute: null,
    adjustments: [],
    withdrawal: null,
    is_going_back: false,
    currency: 'usd',
    ...change,
  }) as OrderDetail

const mail = (status: 'sent' | 'unsent' | 'failed', error: string | null = null) => ({
  id: status,
  kind: 'receipt',
  recipient: 'ruth@example.com',
  subject: 'Your receipt',
  status,
  attempts: 1,
  error,
  created_at: '2026-03-01T10:00:05Z',
  sent_at: status === 'sent' ? '2026-03-01T10:00:05Z' : null,
})

const download = (change: Partial<OrderDetail['downloads'][number]> = {}) => ({
  id: 'd',
  file_name: 'book.epub',
  started_at: '2026-03-01T10:05:00Z',
  finished_at: null,
  is_counted: true,
  ip: null,
  user_agent: null,
  device: null,
  ...change,
})

test('the verdict names what keeps the book from its buyer, and what brought it', () => {
  const text = (change: Partial<OrderDetail>) => verdictOf(bought(change))?.text
  expect(text({ status: 'canceled' })).toBe('Nothing was paid, so nothing is delivered.')
  expect(text({})).toBe('No receipt was written yet.')
  expect(text({ mails: [mail('failed', '550 No such user here')] })).toBe(
    'The mail server refused the receipt: 550 No such user here',
  )
  expect(text({ mails: [mail('unsent')] })).toBe('Email is not set up, so the receipt was not sent.')
  expect(text({ mails: [mail('sent')] })).toBe(
    'The mail server took the receipt. Nothing was downloaded yet.',
  )
  const broken = { mails: [mail('sent')], downloads: [download()] }
  expect(text(broken)).toBe('A download was begun and not finished.')
  expect(text({ downloads: [download(), download(), download()] })).toBe(
    '3 downloads were begun, and none was finished.',
  )
  expect(text({ downloads: [download(), download({ finished_at: '2026-03-01T10:06:00Z' })] })).toMatch(
    /^The file was downloaded whole on /,
  )
  expect(text({ downloads: [download({ is_counted: false })] })).toBe('A download was begun.')
})

test('failed sign-ins are the reason only while none has worked since', () => {
  const signIns = (last_at: string | null) =>
    verdictOf(
      bought({
        mails: [mail('sent')],
        sign_ins: { failed: 3, last_failed_at: '2026-03-01T11:00:00Z', last_at },
      }),
    )
  expect(signIns(null)).toEqual({ look: 'bad', text: 'The buyer tried 3 times to sign in, and could not.' })
  expect(signIns('2026-03-01T10:30:00Z')?.look).toBe('bad')
  expect(signIns('2026-03-01T11:30:00Z')?.look).toBe('plain')
})

test('of a parcel the card of its address speaks, unless the file has something to say', () => {
  const shipment = { shipped_at: null, is_to_ship: true } as OrderDetail['shipment']
  expect(verdictOf(bought({ shipment, mails: [mail('sent')] }))).toBeUndefined()
  expect(verdictOf(bought({ shipment, mails: [mail('failed')] }))?.look).toBe('bad')
  expect(verdictOf(bought({ shipment, downloads: [download({ is_counted: false })] }))?.look).toBe('good')
})

const refund = {
  id: 'a',
  kind: 'refund',
  amount: -4.99,
  note: 'Came late',
  created_at: '2026-03-02T10:00:00Z',
} as const

test('what happened last to the money comes first, and of a refunded order nothing that is still to come', () => {
  const text = (change: Partial<OrderDetail>) => verdictOf(bought({ mails: [mail('sent')], ...change }))?.text
  const refunded = { status: 'refunded', adjustments: [refund] } as const satisfies Partial<OrderDetail>
  const withdrawal = { right: 'law', decision: 'given' } as OrderDetail['withdrawal']
  expect(text(refunded)).toBe('Refunded.')
  expect(text({ ...refunded, withdrawal })).toBe('Withdrawn and refunded.')
  expect(text({ status: 'refunded' })).toBe('Taken back.')
  expect(text({ ...refunded, downloads: [download({ finished_at: '2026-03-01T10:06:00Z' })] })).toMatch(
    /^Refunded\. The file was downloaded whole on /,
  )
  expect(text({ ...refunded, mails: [mail('failed')] })).toBe('Refunded.')
  const nothing = 'The mail server took the receipt. Nothing was downloaded yet.'
  expect(text({ status: 'partially_refunded', adjustments: [refund] })).toBe(`Refunded: $4.99. ${nothing}`)
  expect(text({ is_going_back: true })).toBe(`A refund is on its way. ${nothing}`)
  const dispute = { ...refund, kind: 'dispute' } as const
  const shipment = { shipped_at: null, is_to_ship: false } as OrderDetail['shipment']
  expect(text({ status: 'disputed', shipment, adjustments: [refund, dispute] })).toBe(
    'Taken by a dispute: $4.99.',
  )
})

test('what happened stands in its order, with what is known of it', () => {
  const events = eventsOf(
    bought({
      adjustments: [refund],
      mails: [mail('sent')],
      downloads: [download({ ip: '::ffff:127.0.0.1', device: 'Chrome on Windows' })],
      sign_ins: { failed: 1, last_failed_at: '2026-03-01T10:02:00Z', last_at: null },
    }),
  )
  expect(events.map(({ look, text, more }) => [look, text, more ?? ''])).toEqual([
    ['plain', 'Bought', ''],
    ['good', 'Email “Your receipt” to ruth@example.com: taken by the mail server', ''],
    ['bad', 'A sign-in failed', ''],
    ['bad', 'Download of book.epub begun and not finished', 'From this machine, with Chrome on Windows'],
    ['plain', 'Refunded: $4.99', 'Came late'],
  ])
})

test('a dispute that was lost stands at the time of the bank’s decision', () => {
  const dispute = { lost_at: '2026-03-09T10:00:00Z' } as OrderDetail['dispute']
  const taken = { ...refund, kind: 'dispute' } as const
  expect(eventsOf(bought({ status: 'disputed', adjustments: [taken], dispute }))).toMatchObject([
    { text: 'Bought' },
    { text: 'Taken by a dispute: $4.99' },
    { at: '2026-03-09T10:00:00Z', look: 'bad', text: 'The bank decided for the buyer' },
  ])
})

test('an email that left later stands at the time at which it left', () => {
  const sentLater = { ...mail('sent'), sent_at: '2026-03-01T10:07:00Z' }
  const mails = [mail('unsent'), sentLater]
  const at = (text: string) =>
    eventsOf(bought({ mails, downloads: [download()] })).find((event) => event.text.endsWith(text))?.at
  expect(at('email was not set up')).toBe('2026-03-01T10:00:05Z')
  expect(at('taken by the mail server')).toBe('2026-03-01T10:07:00Z')
})

test('the address of a parcel is corrected only while the parcel is to be shipped', () => {
  const shop = { parcels: { countries: ['US'] } } as unknown as Shop
  const purchase = { ...bought(), id: 'p', number: 1001, email: 'ruth@example.com' }
  const cardOf = (is_to_ship: boolean) => {
    const shipment = { address: someAddress, shipped_at: null, is_to_ship, release_on: null } as NonNullable<
      OrderDetail['shipment']
    >
    const card = createElement(ShipmentCard, { purchase, shipment })
    const Component = () => createElement(ShopContext, { value: shop }, card)
    return renderToStaticMarkup(createElement(createRoutesStub([{ path: '/', Component }])))
  }
  expect(cardOf(true)).toContain('Correct address')
  expect(cardOf(false)).toContain('not to be shipped')
  expect(cardOf(false)).not.toContain('Correct address')
})
