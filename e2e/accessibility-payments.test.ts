// What readers and the author see where money is taken: withdrawals, disputes, and what needs attention.
import { payWrong } from './needs.ts'
import { beginCheckout, payHere, sessionOf } from './paying.ts'
import { testScreenStates } from './screen-states.ts'
import { expect, test } from './shop.ts'
import { enter, enterAdmin, makeUser } from './users.ts'

test.use({ takesMoney: true })

const title = "Nine P's that Change Everything"

testScreenStates('payments that need attention', {
  'a purchase that a reader withdraws from, or a bank disputes': async function* ({ page, shop, stripe }) {
    const email = await makeUser(shop)
    await enter(page, shop, email)
    await beginCheckout(page)
    await payHere(page)
    await page.waitForURL('**/dashboard*')
    await page.getByRole('button', { name: `Withdraw from contract here: ${title}` }).click()
    await expect(page.getByRole('dialog', { name: 'Withdraw from the contract?' })).toBeVisible()
    yield 'withdraw from the contract?'
    const { id } = sessionOf(stripe, email)
    await stripe.sendEvent('charge.dispute.created', stripe.dispute(id))
    await enterAdmin(page, shop, '/admin/payments')
    // A job reads the event; the screen lists what was there when it was opened.
    await expect(async () => {
      await page.reload()
      await expect(page.getByRole('listitem').filter({ hasText: email })).toContainText('Respond by', {
        timeout: 5000,
      })
    }).toPass()
    yield 'what needs attention, with a dispute'
    await page.goto(`/admin/purchases?q=${encodeURIComponent(email)}`)
    await page.getByRole('row').filter({ hasText: email }).getByRole('link').click()
    await expect(page.getByRole('heading', { name: 'Dispute' })).toBeVisible()
    yield 'the purchase, disputed'
    await stripe.sendEvent('charge.dispute.closed', stripe.dispute(id, 'won'))
  },

  'a payment that does not fit': async function* ({ page, shop, stripe }) {
    const email = await payWrong(page, shop, stripe, { amount_subtotal: 999, amount_total: 999 })
    await enterAdmin(page, shop, '/admin/payments')
    const need = page.getByRole('listitem').filter({ hasText: email })
    await expect(need).toContainText('The payment is for $9.99, the purchase for $14.99.')
    yield 'what needs attention'
    await need.getByRole('button', { name: 'Dismiss' }).click()
    const question = page.getByRole('dialog', { name: 'Dismiss this?' })
    await question.getByRole('button', { name: 'Dismiss' }).click()
    await expect(question.getByLabel('What you did about it')).toBeFocused()
    yield 'dismiss this?'
    await question.getByLabel('What you did about it').fill('Sent the difference by hand')
    await question.getByRole('button', { name: 'Dismiss' }).click()
    await expect(question).toBeHidden()
    await page.goto(`/admin/purchases?q=${encodeURIComponent(email)}`)
    await page.getByRole('row').filter({ hasText: email }).getByRole('link').click()
    await expect(page.getByRole('main')).toContainText('A payment of $9.99 was held')
    yield 'the purchase, dismissed'
  },

  'a key that Stripe does not accept': async function* ({ page, shop, stripe }) {
    stripe.denied.add('key')
    await enter(page, shop, await makeUser(shop))
    await page.goto('/')
    await page
      .locator('#book-sales')
      .getByRole('button', { name: /digital/i })
      .click()
    await expect(page.getByText('Payments are not available at the moment.')).toBeVisible()
    await enterAdmin(page, shop, '/admin/payments')
    await expect(page.getByRole('region', { name: 'Payments do not work as they should' })).toBeVisible()
    yield 'what needs attention'
    stripe.denied.clear()
    await enter(page, shop, await makeUser(shop))
    await beginCheckout(page)
  },
})
