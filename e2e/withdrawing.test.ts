// Withdrawing from a contract: by the receipt, by the browser that bought, by the form, and by the author’s word.
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { openDatabase } from '#platform/db/client.ts'
import { age } from '#test/changes.ts'
import { part } from './part.ts'
import { goToPay, purchasesOf } from './guests.ts'
import { mailTo } from './mailing.ts'
import { payHere, refundsOf } from './paying.ts'
import { expect, refusals, type Shop, test } from './shop.ts'
import { enterAdmin, someone } from './users.ts'

const label = 'Withdraw from contract here'

const thanks = (page: Page) => page.getByRole('heading', { name: 'Thank you!' })

const question = (page: Page) => page.getByRole('dialog', { name: 'Withdraw from the contract?' })

type Typed = { email: string; order: string }

test.describe('with a mail server', () => {
  test.use({ takesMoney: true, hasOwnBook: true, sendsMail: true })

  test('a contract is withdrawn from by the receipt, by the form, by the author and by the page of the order @commit', async ({
    page,
    shop,
    smtp,
    stripe,
    chrome,
    complaints,
  }) => {
    await part(page, 'the receipt’s link withdraws in another browser', async () => {
      const email = await buyAsGuest(page)
      const { text = '' } = await mailTo(smtp, email, /receipt/i)
      expect(text).toContain(label)
      const [link = ''] = /http\S+\/purchase\/[\w-]+#[\w-]{43}/.exec(text) ?? []
      await using context = await chrome.newContext({ baseURL: shop.url })
      const elsewhere = await context.newPage()
      await elsewhere.goto(link)
      await withdrawFromOrder(elsewhere)
      const { text: said } = await mailTo(smtp, email, /withdrawal from/)
      expect(said).toContain('You have withdrawn from your contract')
      await expect.poll(() => purchasesOf(shop, email)).toEqual(['refunded'])
    })

    await part(page, 'a form is acknowledged, and its mailed link gives the money back', async () => {
      const email = await buyAsGuest(page)
      await using context = await chrome.newContext({
        baseURL: shop.url,
        viewport: { width: 390, height: 850 },
        acceptDownloads: true,
      })
      const elsewhere = await context.newPage()
      await declareByForm(elsewhere, { email, order: 'the ebook, today' })
      await expect(elsewhere.getByText(`on its way to ${email}`)).toBeVisible()
      const [file] = await Promise.all([
        elsewhere.waitForEvent('download'),
        elsewhere.getByRole('button', { name: 'Save as a file' }).click(),
      ])
      const saved = await readFile(await file.path(), 'utf8')
      for (const words of ['We have received your withdrawal', 'UTC', email, 'the ebook, today'])
        expect(saved).toContain(words)
      expect(await purchasesOf(shop, email)).toEqual(['completed'])
      const { text = '' } = await mailTo(smtp, email, /received your withdrawal$/)
      const [link = ''] = /http\S+\/withdraw#[\w-]{43}/.exec(text) ?? []
      await elsewhere.goto('about:blank')
      await elsewhere.goto(link)
      await expect(elsewhere.getByRole('heading', { name: 'Confirm your withdrawal' })).toBeVisible()
      expect(await purchasesOf(shop, email)).toEqual(['completed'])
      await elsewhere.getByRole('button', { name: /^Confirm withdrawal/ }).click()
      await expect(elsewhere.getByRole('heading', { name: 'Your withdrawal has taken effect' })).toBeVisible()
      await expect.poll(() => purchasesOf(shop, email)).toEqual(['refunded'])
      await elsewhere.reload()
      await expect(elsewhere.getByText('and your withdrawal has taken effect')).toBeVisible()
      expect(refundsOf(stripe, email)).toEqual([1499])
    })

    await part(
      page,
      'what nobody proves waits for the author, and what fits no order is one line',
      async () => {
        const email = await buyAsGuest(page)
        await declareByForm(page, { email, order: 'the ebook' })
        await declareByForm(page, { email: 'nobody@example.com', order: '#999999' })
        await enterAdmin(page, shop, '/admin/payments')
        const need = page.getByRole('listitem').filter({ hasText: email }).first()
        await expect(need).toContainText('A withdrawal that is not confirmed')
        const unmatched = page
          .getByRole('listitem')
          .filter({ hasText: /withdrawals? that fits? no order/ })
          .first()
        await unmatched.getByText('Open the list').click()
        await expect(unmatched).toContainText('nobody@example.com')
        await need.getByRole('button', { name: /^Accept for/ }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Accept' }).click()
        await expect(page.getByText('Accepted', { exact: true })).toBeVisible()
        await expect(need).toHaveCount(0)
        await expect.poll(() => purchasesOf(shop, email)).toEqual(['refunded'])
      },
    )

    await part(
      page,
      'what the page of an order offers follows the law’s period, the promise, the day after it and a consent',
      async () => {
        // After the law’s period the promise says “Refund”, and after both the author is asked.
        const email = await buyAsGuest(page)
        await makeOlder(shop, email, 20)
        await page.reload()
        await expect(page.getByRole('button', { name: /^Refund/ })).toBeVisible()
        await expect(page.getByRole('main')).not.toContainText(/withdraw/i)
        await makeOlder(shop, email, 31)
        await page.reload()
        await expect(thanks(page)).toBeVisible()
        await expect(page.getByRole('button', { name: /^(Refund|Withdraw)/ })).toHaveCount(0)
        await expect(page.getByText(/^The right of withdrawal ended on [^.]+\.$/)).toBeVisible()
        await expect(page.getByRole('button', { name: /^Ask for a refund/ })).toBeVisible()

        // After a day the browser that bought downloads no more, and still withdraws, on a phone.
        await page.setViewportSize({ width: 390, height: 850 })
        const later = await buyAsGuest(page)
        const order = page.url()
        await using database = openDatabase(shop.databaseUrl, { max: 1 })
        await database.pool.query(
          `update purchase_access set expires_at = now() - interval '1 hour'
        where purchase_id in (select purchase_id from guest_checkouts where email = $1)`,
          [later],
        )
        await page.evaluate(() => {
          const name = 'guest-purchases'
          const entries = JSON.parse(localStorage.getItem(name) ?? '[]') as object[]
          const ended = entries.map((entry) => Object.assign(entry, { ends_at: '2026-01-01T00:00:00Z' }))
          localStorage.setItem(name, JSON.stringify(ended))
        })
        await page.goto('/')
        await page.getByRole('contentinfo').getByRole('link', { name: label }).click()
        await expect(page.getByRole('heading', { name: 'Bought in this browser' })).toBeVisible()
        await page.getByRole('main').getByRole('link', { name: "Nine P's that Change Everything" }).click()
        await expect(page).toHaveURL(order)
        await expect(page.getByRole('button', { name: label })).toBeVisible()
        await expect(page.getByRole('button', { name: /^Download/ })).toHaveCount(0)
        // The response is lost, and the shop has received it.
        await page.route('**/api/guest/purchases/*/refund', async (route) => {
          await route.fetch()
          await route.abort()
        })
        await withdrawFromOrder(page)
        await expect(page.getByRole('status').getByText('Withdrawal Received')).toBeVisible()
        await expect(page.getByText('The withdrawal could not be sent')).toHaveCount(0)
        await page.unroute('**/api/guest/purchases/*/refund')
        expect(refusals(complaints)).toHaveLength(1)
        await expect.poll(() => purchasesOf(shop, later)).toEqual(['refunded'])
        await page.reload()
        await expect(
          page.getByRole('heading', { name: 'You have withdrawn from this purchase' }),
        ).toBeVisible()
        await expect(page.getByRole('button', { name: label })).toHaveCount(0)

        // Consent ends the right with the first download, not before.
        const agreed = await buyAsGuest(page)
        await mailTo(smtp, agreed, /receipt/i)
        await change(shop, agreed, 'refund_days = 0')
        await database.pool.query(
          `insert into consents (purchase_id, text) select purchase_id, 'I agree.' from guest_checkouts where email = $1`,
          [agreed],
        )
        await page.reload()
        await expect(page.getByRole('button', { name: label })).toBeVisible()
        const [file] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('button', { name: /PDF/ }).first().click(),
        ])
        await file.path()
        await expect(
          page.getByText(/ended on .* with the first download, to which you had agreed/),
        ).toBeVisible()
        await expect(page.getByRole('button', { name: label })).toHaveCount(0)
        await page.getByRole('button', { name: /^Ask for a refund/ }).click()
        const asked = page.getByRole('dialog', { name: 'Ask for a refund' })
        await expect(asked).toContainText(
          'so the author decides. The files of this order cannot be downloaded until',
        )
        await asked.getByRole('button', { name: 'Ask for a refund' }).click()
        await expect(page.getByRole('heading', { name: 'Refund Requested' })).toBeVisible()
        await page.getByRole('button', { name: 'Take the request back' }).click()
        await expect(thanks(page)).toBeVisible()
        await expect(page.getByRole('button', { name: /PDF/ }).first()).toBeVisible()
        expect(await purchasesOf(shop, agreed)).toEqual(['completed'])
      },
    )
  })
})

test.describe('without a mail server', () => {
  test.use({ takesMoney: true, hasOwnBook: true })

  test('the acknowledgement is a file, of the form and of the order’s page', async ({ page, shop }) => {
    const email = await buyAsGuest(page)
    const order = page.url()
    await declareByForm(page, { email, order: 'the ebook, today' })
    await expect(page.getByText('Please save this acknowledgement.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Print' })).toBeVisible()
    await page.goto(order)
    await withdrawFromOrder(page)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as a file' }).click(),
    ])
    expect(await readFile(await file.path(), 'utf8')).toMatch(
      /You withdraw from your contract for .*, order #\d+/,
    )
    await expect.poll(() => purchasesOf(shop, email)).toEqual(['refunded'])
  })
})

test('in a shop that takes no money there is nothing of it @commit', async ({ page, complaints }) => {
  await page.goto('/')
  await expect(page.getByRole('contentinfo').getByRole('link', { name: 'Contact' })).toBeVisible()
  await expect(page.getByRole('link', { name: label })).toHaveCount(0)
  await page.goto('/withdraw')
  await expect(page.getByRole('heading', { name: 'Oops! Page not found' })).toBeVisible()
  expect(refusals(complaints)).toHaveLength(1)
})

/** Its page is shown. */
async function buyAsGuest(page: Page): Promise<string> {
  const email = someone()
  await goToPay(page, email)
  await payHere(page)
  await expect(thanks(page)).toBeVisible()
  return email
}

async function withdrawFromOrder(page: Page) {
  await page.getByRole('button', { name: label }).click()
  await expect(question(page)).toContainText(/You withdraw from your contract for .*, order #\d+\./)
  await question(page).getByRole('button', { name: 'Confirm withdrawal' }).click()
  await expect(page.getByRole('heading', { name: 'You have withdrawn from this purchase' })).toBeVisible()
  await expect(page.getByText(/We received your withdrawal from the contract on/)).toBeVisible()
  await expect(page.getByRole('button', { name: /^Download/ })).toHaveCount(0)
}

async function declareByForm(page: Page, { email, order }: Typed) {
  await page.goto('/')
  await page.getByRole('contentinfo').getByRole('link', { name: label }).click()
  await expect(page.getByRole('heading', { level: 1, name: label })).toBeVisible()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByLabel('Name')).toBeFocused()
  await page.getByLabel('Name').fill('Ruth')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Order number').fill(order)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Withdraw from the contract?' })).toBeFocused()
  await page.getByRole('button', { name: 'Change' }).click()
  await expect(page.getByLabel('Order number')).toHaveValue(order)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('main')).toContainText(email)
  await page.getByRole('button', { name: 'Confirm withdrawal' }).click()
  await expect(page.getByRole('heading', { name: 'We have received your withdrawal' })).toBeFocused()
  await expect(page.getByRole('main')).toContainText(order)
}

async function change(shop: Shop, email: string, set: string) {
  await using database = openDatabase(shop.databaseUrl, { max: 1 })
  await database.pool.query(
    `update purchases set ${set} where id in (select purchase_id from guest_checkouts where email = $1)`,
    [email],
  )
}

async function makeOlder(shop: Shop, email: string, days: number) {
  await using database = openDatabase(shop.databaseUrl, { max: 1 })
  const { rows } = await database.pool.query<{ purchase_id: string }>(
    'select purchase_id from guest_checkouts where email = $1',
    [email],
  )
  for (const { purchase_id: id } of rows) await age(database, 'purchases.created_at', `${days} days`, { id })
}
