// Money that goes back: asked for by the user, given by the author, or taken by a bank.
import type { Locator, Page } from '@playwright/test'
import { openDatabase } from '#platform/db/client.ts'
import { age } from '#test/changes.ts'
import { expectAccessible } from './accessible.ts'
import { adminTotals, beginCheckout, payHere, refundsOf, sessionOf, standInTotals } from './paying.ts'
import { enter, enterAdmin, makeUser } from './users.ts'
import { admin, expect, refusals, test, type Shop } from './shop.ts'

test.use({ shopName: 'the shop that takes money', takesMoney: true })
test.describe.configure({ mode: 'serial' })

const title = "Nine P's that Change Everything"
const row = (page: Page) => page.getByRole('listitem').filter({ hasText: title })

test('a user withdraws while the law may hold: the money goes back, and the access with it', async ({
  page,
  shop,
  stripe,
}) => {
  const email = await makeUser(shop)
  await buyHere(page, shop, email)
  await page.getByRole('button', { name: `Withdraw from contract here: ${title}` }).click()
  const question = page.getByRole('dialog', { name: 'Withdraw from the contract?' })
  await expect(question).toContainText(/You withdraw from your contract for .*, order #\d+\./)
  await expectAccessible(page)
  await question.getByLabel(/What was missing/).fill('I have it twice now.')
  await question.getByRole('button', { name: 'Confirm withdrawal' }).click()
  await expect(question).toHaveCount(0)
  await expectStatus(page, 'refunded')
  await expect(page.getByRole('button', { name: /^Download/ })).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^(Refund|Withdraw)/ })).toHaveCount(0)
  expect(refundsOf(stripe, email)).toEqual([1499])
})

test('while a second request for money back waits, no file of the purchase is offered', async ({
  page,
  shop,
}) => {
  const email = await makeUser(shop)
  await using database = openDatabase(shop.databaseUrl, { max: 1 })
  // The second time, only the promise is left, which was used before.
  for (const notice of ['Withdrawal Received', 'Refund Requested']) {
    await enter(page, shop, email)
    await beginCheckout(page)
    await payHere(page)
    await page.waitForURL('**/dashboard*')
    const isLaw = notice === 'Withdrawal Received'
    if (!isLaw) {
      await database.pool.query(`update purchases set country = 'US'`)
      await page.reload()
    }
    await page.getByRole('button', { name: isLaw ? /^Withdraw from/ : `Refund ${title}` }).click()
    const confirm = isLaw ? 'Confirm withdrawal' : 'Get my money back'
    await page.getByRole('dialog').getByRole('button', { name: confirm }).click()
    await expect(page.getByText(notice, { exact: true })).toBeVisible()
  }
  await expect(page.getByText('so the author looks at it first', { exact: false })).toBeVisible()
  await expect(page.getByRole('button', { name: /^(Download|PDF)/ })).toHaveCount(0)
})

test('the author gives a part back, and the user keeps the book; then the rest', async ({
  page,
  shop,
  stripe,
  complaints,
}) => {
  const email = await makeUser(shop)
  await buyHere(page, shop, email)
  await openInAdmin(page, shop, email)
  await refund(page, '5', 'This refunds a part of the payment. The reader keeps access to the book.')
  await expectStatus(page, 'partially refunded', page)
  await expect(page.getByText('less $5.00 given back')).toBeVisible()
  const place = page.url()

  await enter(page, shop, email)
  await page.goto('/dashboard')
  await expect(row(page)).toContainText('partially refunded')
  const saved = page.waitForEvent('download')
  await row(page)
    .getByRole('button', { name: /^Download/ })
    .first()
    .click()
  await saved

  await enterAdmin(page, shop, place)
  await using database = openDatabase(shop.databaseUrl, { max: 1 })
  await age(database, 'auth.sessions.proved_at', '11 minutes')
  await refund(page, '9.99', 'This refunds all that is left of the payment, and access to the book ends.')
  const proof = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await proof.getByLabel('Your password').fill(admin.password)
  const refunded = page.waitForResponse((response) => response.status() === 202)
  await page.keyboard.press('Enter')
  await refunded
  await expectStatus(page, 'refunded', page)
  expect(refusals(complaints)).toHaveLength(1)
  await expect(page.getByRole('heading', { name: 'Refund', exact: true })).toHaveCount(0)
  expect(refundsOf(stripe, email)).toEqual([500, 999])

  await enter(page, shop, email)
  await page.goto('/dashboard')
  await expect(row(page).getByText('refunded', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Download/ })).toHaveCount(0)
})

test('a dispute ends access and waits for the author; one that is won gives it back', async ({
  page,
  shop,
  stripe,
}) => {
  const email = await makeUser(shop)
  await buyHere(page, shop, email)
  const { id } = sessionOf(stripe, email)
  await stripe.sendEvent('charge.dispute.created', stripe.dispute(id))
  await expectStatus(page, 'disputed')
  await expect(page.getByRole('button', { name: /^(Download|Refund)/ })).toHaveCount(0)
  await openInAdmin(page, shop, email)
  await expectStatus(page, 'disputed', page)
  await expect(page.getByRole('table', { name: 'Refunds' })).toContainText('$14.99')
  const dispute = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Dispute' }) })
  await expect(dispute).toContainText('answer needed')
  await expect(dispute).toContainText(/Opened.*Answer by.*Aug 14, 2024/)
  await expectAccessible(page)

  await page.goto('/admin/payments')
  const need = page.getByRole('listitem').filter({ hasText: email })
  await expect(need).toContainText('Respond by: Aug 14, 2024')
  await expect(need.getByRole('button', { name: 'Dismiss' })).toHaveCount(0)
  await expectAccessible(page)
  await need.getByRole('link', { name: 'See the evidence' }).click()
  await expect(page.getByRole('main')).toContainText(email)
  await expect(page.getByRole('main')).toContainText('needs response')

  await stripe.sendEvent('charge.dispute.closed', stripe.dispute(id, 'won'))
  await enter(page, shop, email)
  await page.goto('/dashboard')
  await expectStatus(page, 'completed')
  await expect(
    row(page)
      .getByRole('button', { name: /^Download/ })
      .first(),
  ).toBeVisible()
  await openInAdmin(page, shop, email)
  await expect(dispute).toContainText('The bank decided for you: the money is back.')
})

test('the admin area’s revenue is Stripe’s to the cent', async ({ page, shop, stripe }) => {
  await enterAdmin(page, shop)
  const { revenue, completed } = standInTotals(stripe)
  expect(await adminTotals(shop)).toMatchObject({ total_revenue: revenue, completed_purchases: completed })
  await expect(page.getByText(`$${revenue.toFixed(2)}`, { exact: true }).first()).toBeVisible()
})

async function buyHere(page: Page, shop: Shop, email: string) {
  await enter(page, shop, email)
  await beginCheckout(page)
  await payHere(page)
  await page.waitForURL('**/dashboard*')
  await expect(row(page)).toContainText('completed')
}

/** On the dashboard, or where the author looks at it; webhooks come later than the page. */
async function expectStatus(page: Page, status: string, place: Page | Locator = row(page)) {
  await expect(async () => {
    await page.reload()
    await expect(place.getByText(status, { exact: true })).toBeVisible({ timeout: 5_000 })
  }).toPass()
}

async function openInAdmin(page: Page, shop: Shop, email: string) {
  await enterAdmin(page, shop, `/admin/purchases?q=${encodeURIComponent(email)}`)
  await page.getByRole('table', { name: 'Purchases' }).getByRole('link', { name: title }).click()
  await page.waitForURL('**/admin/purchases/*')
}

async function refund(page: Page, amount: string, consequence: string) {
  await page.getByLabel('Amount ($)').fill(amount)
  await page.getByLabel('Note (optional)').fill('A kindness')
  await page.getByRole('button', { name: 'Refund', exact: true }).click()
  const question = page.getByRole('dialog').filter({ hasText: consequence })
  await question.getByRole('button', { name: 'Refund', exact: true }).click()
  await expect(question).toHaveCount(0)
}
