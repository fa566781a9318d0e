// Who sells, in all that is said to a buyer: never the author of what Link sells, and never Link of the rest.
import { startStripe } from '@lectern/stripe-stand-in'
import { beforeAll, expect, test } from 'vitest'
import { ensureBuilt } from '#tools/build.ts'
import { fieldsIn, postForm, withPages } from '#test/forms.ts'
import { buyAsGuest, codeOf, beginAsGuest, newVisitor, openGuestShop, settleAsGuest } from '#test/guests.ts'
import { filledLegal, publishLegal } from '#test/legal.ts'
import { sellByLink, sessionOf } from '#test/paying.ts'
import type { TestShop } from '#test/shop.ts'
import { idOf } from '#platform/stripe/conversions.ts'
import type { Seller } from '#contract/orders/seller.ts'

beforeAll(() => ensureBuilt())

const link =
  /sold by link|from link|by link|link, a company of stripe|link has sent|write to link|link\.com/gi
const author =
  /we refund you|the author sends|the author refunds|we gave back|we find another way|kept by the shop|the shop of [^.]*by |or reply to this email\. the money-back/gi

const countOf = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].length

const read = async (shop: TestShop, path: string) => (await shop.call('GET', path)).text()

/** Tags and their attributes say nothing to a buyer. */
const wordsIn = (html: string) =>
  html
    .replaceAll(/<(script|style)[^]*?<\/\1>/g, ' ')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')

test('0 sentences name the wrong seller: pages, terms, receipt, refund and the mails about them', async () => {
  for (const seller of ['author', 'stripe'] satisfies Seller[]) {
    await using stripe = await startStripe()
    await using shop = await openGuestShop(stripe, { openPages: withPages })
    const admin = await shop.person({ role: 'admin' })
    expect((await publishLegal(admin, filledLegal())).status).toBe(200)
    if (seller === 'stripe') sellByLink(shop)
    const isOfLink = seller === 'stripe'
    const said = isOfLink ? { seller } : {}

    const texts = new Map<string, { text: string; isOfLink: boolean }>()
    texts.set('the page of the file', { text: wordsIn(await read(shop, '/buy/digital')), isOfLink })
    for (const format of ['paperback', 'hardcover', 'bundle'])
      texts.set(format, { text: wordsIn(await read(shop, `/buy/${format}`)), isOfLink: false })
    texts.set('terms', { text: wordsIn(await read(shop, '/terms')), isOfLink })

    const visitor = newVisitor()
    const { id } = await buyAsGuest(shop, visitor, said)
    const session = sessionOf(stripe, id)
    stripe.pay(session.id, { tax: 74 })
    await settleAsGuest(shop, id, visitor.proof)
    texts.set('the receipt by email', {
      text: (await shop.mailbox.to(visitor.email, /receipt/)).text ?? '',
      isOfLink,
    })
    const intent = idOf(session.payment_intent) ?? ''
    const refund = stripe.refund(intent, 500)
    await settleAsGuest(shop, id, visitor.proof)
    texts.set('a refund', {
      text: (await shop.mailbox.to(visitor.email, /^Your refund/)).text ?? '',
      isOfLink,
    })
    stripe.failRefund(refund.id)
    await settleAsGuest(shop, id, visitor.proof)
    const failed = await shop.mailbox.to(visitor.email, /did not arrive/)
    texts.set('a refund that did not arrive', { text: failed.text ?? '', isOfLink })

    const paper = newVisitor()
    const printed = await buyAsGuest(shop, paper, { format: 'paperback' })
    stripe.pay(sessionOf(stripe, printed.id).id)
    await settleAsGuest(shop, printed.id, paper.proof)
    const { text = '' } = await shop.mailbox.to(paper.email, /receipt/)
    texts.set('the receipt of a book on paper', { text, isOfLink: false })

    const found = [...texts].map(([name, { text: words, isOfLink: ofLink }]) => ({
      name,
      wrong: countOf(words, ofLink ? author : link),
      isNamed: !ofLink || countOf(words, link) > 0,
    }))
    expect(found).toEqual([...texts.keys()].map((name) => ({ name, wrong: 0, isNamed: true })))
  }
})

test('without scripts the form says who sells, and a form of before is refused', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe, { openPages: withPages })
  const { id } = await shop.product('digital')
  const action = `/buy/${id}`
  const before = fieldsIn(await read(shop, '/buy/digital'), action)
  expect(before).not.toHaveProperty('seller')
  sellByLink(shop)
  const late = await postForm(shop, action, { ...before, email: 'ruth@example.com' })
  expect(await late.text()).toContain('Who sells this file has changed. Nothing was bought')
  expect(await codeOf(await beginAsGuest(shop, newVisitor()))).toBe('purchases.seller_changed')
  expect(stripe.sessions.size).toBe(0)
  const fields = fieldsIn(await read(shop, '/buy/digital'), action)
  expect(fields['seller']).toBe('stripe')
  const sent = await postForm(shop, action, { ...fields, email: 'ruth@example.com' })
  expect(await sent.text()).toContain('Continue to payment')
  expect([...stripe.sessions.values()].map(({ managed_payments }) => managed_payments)).toEqual([
    { enabled: true },
  ])
})
