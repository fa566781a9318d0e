// A reader’s dashboard and receipts: how they count, wait, fail and come back, and what is printed.
import type { Page } from '@playwright/test'
import { openDatabase } from '#platform/db/client.ts'
import { expectSignInPage, leaveScripts } from './leaving.ts'
import { part } from './part.ts'
import { admin, expect, refusals, type Shop, test } from './shop.ts'
import { expectToast } from './toast.ts'
import { buy, enter, enterAdmin, makeUser, orderOf, password, post, saveSession, signIn } from './users.ts'

async function setStatus({ databaseUrl }: Shop, email: string, status: string) {
  await using database = openDatabase(databaseUrl, { max: 1 })
  await database.pool.query(
    'update purchases set status = $2 where user_id = (select user_id from profiles where email = $1)',
    [email, status],
  )
}

const words = 'You are offline. Please try again when you are connected.'

test('the dashboard shows purchases, loads, fails and is offline @commit', async ({
  page,
  context,
  shop,
  complaints,
}) => {
  await part(
    page,
    'the dashboard counts what was bought, an empty one leads to the formats, and a long list shows more when asked',
    async () => {
      const email = await makeUser(shop)
      const session = await enter(page, shop, email)
      await page.goto('/dashboard')
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Welcome, ${email}`)
      await expect(page.getByText('No purchases yet', { exact: true })).toBeVisible()
      await expectStats(page, ['0', '0', 'Active'])
      await page.getByRole('link', { name: 'Browse Products', exact: true }).click()
      await expect(page).toHaveURL(`${shop.url}/#book-sales`)
      await expect(page.getByRole('heading', { name: 'Get Your Copy Today' })).toBeInViewport()

      for (const format of ['digital', 'paperback', 'bundle']) await buy(shop, session, format)
      await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
      await expect(page.getByRole('heading', { name: 'Your Purchases', exact: true })).toBeVisible()
      await expectStats(page, ['3', '2', 'Active'])
      await expect(page.getByRole('listitem').getByRole('heading')).toHaveText([
        /Bundle/,
        /Paperback/,
        /Change Everything$/,
      ])

      await page.route(/\/api\/purchases(\?.*)?$/, async (route) => {
        const after = new URL(route.request().url()).searchParams.get('after')
        const { items } = (await (await route.fetch({ url: `${shop.url}/api/purchases` })).json()) as {
          items: object[]
        }
        const first = Number(after ?? 0)
        const many = Array.from({ length: first === 20 ? 5 : 10 }, (_, n) => ({
          ...items[0],
          id: String(first + n),
        }))
        const next = first === 20 ? null : String(first + 10)
        await route.fulfill({ json: { items: many, next, totals: { purchases: 120, digital: 119 } } })
      })
      await page.goto('/dashboard')
      await expect(page.getByRole('listitem')).toHaveCount(10)
      await expect(page.getByText('Total Purchases').locator('..')).toContainText('120')
      await expect(page.getByText('Digital Downloads').locator('..')).toContainText('119')
      const more = page.getByRole('button', { name: 'Show more' })
      await more.press('Enter')
      await expect(page.getByRole('listitem')).toHaveCount(20)
      await expect(page.getByRole('list', { name: 'Earlier purchases' })).toBeFocused()
      await more.click()
      await expect(page.getByRole('listitem')).toHaveCount(25)
      await expect(more).toHaveCount(0)
    },
  )

  await part(
    page,
    'coming from within the site, the dashboard is there at once, its purchases on their way; what fails comes at the next try',
    async () => {
      const email = await makeUser(shop)
      await buy(shop, await enter(page, shop, email), 'digital')
      const held = Promise.withResolvers<void>()
      await page.route('**/api/purchases', async (route) => {
        await held.promise
        await route.continue()
      })
      await page.goto('/')
      await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
      await expect(page).toHaveURL(`${shop.url}/dashboard`)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Welcome, ${email}`)
      const waiting = page.getByText('Loading your purchases...')
      await expect(waiting).toBeAttached()
      held.resolve()
      await expect(page.getByRole('listitem')).toHaveCount(1)
      await expect(waiting).toHaveCount(0)
      const advice = page.getByText('upload it at Send to Kindle')
      await page.getByText('How to read it').click()
      await expect(advice).toBeVisible()

      await page.unroute('**/api/purchases')
      await page.route('**/api/purchases', (route) => route.abort())
      await page.goto('/dashboard')
      await expectToast(page, 'Error', 'Failed to fetch purchases')
      await expect(page.getByRole('heading', { name: 'Your purchases could not be loaded' })).toBeVisible()
      expect(refusals(complaints)).toHaveLength(1)

      await page.unroute('**/api/purchases')
      await page.route('**/api/purchases', (route) => route.fulfill({ body: '<p>A stranger’s page</p>' }))
      await page.getByRole('button', { name: 'Try again' }).click()
      await expectToast(page, 'Error', 'An unexpected error occurred')

      const heldAgain = Promise.withResolvers<void>()
      await page.unroute('**/api/purchases')
      await page.route('**/api/purchases', async (route) => {
        await heldAgain.promise
        await route.continue()
      })
      await page.getByRole('button', { name: 'Try again' }).click()
      await expect(page.getByRole('button', { name: 'Loading...' })).toBeDisabled()
      heldAgain.resolve()
      await expect(page.getByRole('listitem')).toHaveCount(1)
    },
  )

  await part(page, 'a download says that it has started, or that there is none', async () => {
    const name = "Nine P's that Change Everything"
    const email = await makeUser(shop)
    await buy(shop, await enter(page, shop, email), 'digital')
    await page.goto('/dashboard')
    const download = page.getByRole('button', { name: new RegExp(`^Download EPUB .*: ${name}$`) })
    await expect(download).toHaveText(/^Download EPUB \(\d+(\.\d)? [kM]B\)$/)

    // Refunded in another tab.
    await setStatus(shop, email, 'refunded')
    await download.click()
    await expectToast(
      page,
      'Download Error',
      'This order has no download any more: it was refunded, a refund was asked for, or its copy was given away.',
    )
    await expect(page.getByRole('listitem')).toContainText('Your money is on its way back to you')
    await expect(download).toHaveCount(0)
    expect(refusals(complaints)).toHaveLength(1)
    await setStatus(shop, email, 'completed')
    await page.reload()

    const saved = page.waitForEvent('download')
    await download.click()
    await expectToast(page, 'Download Started', `Downloading ${name}...`)
    await saved

    await page.route('**/api/purchases', async (route) => {
      const page = (await (await route.fetch()).json()) as { items: { product: object }[] }
      const items = page.items.map((each) => ({ ...each, product: { ...each.product, download_url: null } }))
      await route.fulfill({ json: { ...page, items } })
    })
    await page.reload()
    await download.click()
    await expectToast(page, 'Download Error', 'This product is not available for download')
  })

  await part(
    page,
    'signing in, writing to the author and the dashboard say that one is offline',
    async () => {
      const email = await makeUser(shop)
      await page.goto('/auth')
      await context.setOffline(true)
      const form = page.getByRole('tabpanel', { name: 'Sign In' })
      await form.getByLabel('Email').fill(email)
      await form.getByLabel('Password', { exact: true }).fill(password)
      await form.getByRole('button', { name: 'Sign In' }).click()
      await expect(page.getByRole('alert').filter({ hasText: words })).toBeVisible()
      await expect(form.getByLabel('Email')).toHaveValue(email)
      await context.setOffline(false)
      await form.getByRole('button', { name: 'Sign In' }).click()
      await expect(page.locator('#contact')).toBeVisible()

      await context.setOffline(true)
      for (const label of ['Name', 'Email', 'Subject', 'Message'])
        await page.locator('#contact').getByLabel(label, { exact: true }).fill('ruth@example.com')
      await page.getByRole('button', { name: 'Send Message' }).click()
      await expect(page.getByRole('alert').filter({ hasText: words })).toBeVisible()
      await context.setOffline(false)
      await page.reload()
      await expect(page.locator('#contact').getByLabel('Message', { exact: true })).toHaveValue(
        'ruth@example.com',
      )

      await buy(shop, await enter(page, shop, email), 'digital')
      await page.goto('/dashboard')
      await context.setOffline(true)
      await page
        .getByRole('button', { name: /^Download/ })
        .first()
        .click()
      await expectToast(page, 'Download Error', words)
      refusals(complaints)
    },
  )
})

test('receipts, order numbers and the way to the admin area are shown to whom they belong', async ({
  page,
  context,
  shop,
  complaints,
}) => {
  await part(
    page,
    'the way to the admin area is shown to an admin, and to no other user, who is sent to the dashboard with the reason',
    async () => {
      const adminArea = page.getByRole('link', { name: /^Admin/ })
      await enterAdmin(page, shop, '/')
      await expect(adminArea).toHaveText('Admin')
      await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
      await expect(adminArea).toHaveText('Admin Dashboard')
      await adminArea.click()
      await expect(page).toHaveURL(`${shop.url}/admin`)

      // What cannot be asked counts as no.
      await page.route('**/api/me', (route) => route.abort())
      await openAsked(page, shop, '/')
      await expect(adminArea).toHaveCount(0)
      expect(refusals(complaints)).toHaveLength(1)
      await page.unroute('**/api/me')
      await enter(page, shop, await makeUser(shop))
      for (const path of ['/', '/dashboard']) {
        await openAsked(page, shop, path)
        await expect(adminArea).toHaveCount(0)
      }
      await page.goto('/admin')
      await expect(page).toHaveURL('/dashboard')
      await expect(page.getByText('Access Denied')).toBeVisible()
      await expect(page.getByText("You don't have admin privileges")).toBeVisible()
      // Its own watch for a session that is gone would lead away as well.
      await leaveScripts(page)
      await page.evaluate(() => localStorage.clear())
      await page.goto('/admin/users')
      await expectSignInPage(page, /\/auth\?next=\/admin\/users$/)
      refusals(complaints)
    },
  )

  await part(
    page,
    'a user opens the receipt, sees what went back of it, and prints it; another user finds nothing',
    async () => {
      const email = await makeUser(shop)
      const session = await enter(page, shop, email)
      await buy(shop, session, 'hardcover')
      await page.goto('/dashboard')
      await page.getByRole('link', { name: /^Receipt for/ }).click()
      await expect(page.getByRole('heading', { name: 'Receipt' })).toBeVisible()
      const paper = page.getByRole('article')
      for (const words of [email, '$39.99', 'Total paid', 'contact form'])
        await expect(paper).toContainText(words)
      await expect(paper).not.toContainText('Paid after refunds')

      // Its day is that of the email, wherever it is read.
      const id = page.url().split('/').at(-1)!
      await using database = openDatabase(shop.databaseUrl, { max: 1 })
      await database.pool.query(`update purchases set created_at = '2026-11-05T23:30:00Z' where id = $1`, [
        id,
      ])
      const devtools = await context.newCDPSession(page)
      await devtools.send('Emulation.setTimezoneOverride', { timezoneId: 'Pacific/Auckland' })
      await page.reload()
      await expect(paper.getByRole('time')).toHaveText('November 5, 2026')
      await devtools.send('Emulation.setTimezoneOverride', { timezoneId: '' })

      const { access_token } = await signIn(shop, admin)
      await post(
        shop,
        `/api/admin/purchases/${id}/refund`,
        { amount: 10, reason: 'A bent corner' },
        access_token,
      )
      const mail = await shop.mailbox.to(email, /Your refund/)
      expect(mail.text).toContain('$10.00')
      await page.reload()
      await expect(paper.getByRole('row', { name: /Refund/ })).toContainText('−$10.00')
      await expect(paper.getByRole('row', { name: /Paid after refunds/ })).toContainText('$29.99')

      await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
      await expect(page.getByRole('button', { name: 'Print' })).toBeHidden()
      await expect(page.getByRole('link', { name: 'Back to your purchases' })).toBeHidden()
      const colours = await paper.evaluate((element) => {
        const { color } = getComputedStyle(element)
        return { color, scheme: getComputedStyle(document.documentElement).colorScheme }
      })
      expect(colours).toEqual({ color: 'rgb(27, 36, 64)', scheme: 'light' })
      await page.emulateMedia({ media: 'screen', colorScheme: 'light' })

      const stranger = await signIn(shop, { email: await makeUser(shop), password })
      await saveSession(page, JSON.stringify(stranger))
      await page.goto(`/dashboard/receipts/${id}`)
      await expect(page.getByRole('heading', { name: 'There is no such receipt' })).toBeVisible()
      await expect(page.getByText('Perhaps the link was mistyped or copied only in part.')).toBeVisible()
      await expect(page.getByRole('button', { name: 'Print' })).toHaveCount(0)
      expect(refusals(complaints)).toHaveLength(1)
      await page.evaluate(() => localStorage.clear())
      await page.goto(`/dashboard/receipts/${id}`)
      await expectSignInPage(page, new RegExp(`/auth\\?next=.*${id}`))
    },
  )

  await part(
    page,
    'an order has one number on dashboard, receipt, mail, admin list, purchase page and packing slip',
    async () => {
      const email = await makeUser(shop)
      const session = await enter(page, shop, email)
      await buy(shop, session, 'hardcover')
      const { id, number } = await orderOf(shop, session)
      const order = `#${number}`

      await page.goto('/dashboard')
      await expect(page.getByRole('region', { name: 'Your Purchases' }).getByRole('listitem')).toContainText(
        order,
      )
      await page.getByRole('link', { name: /^Receipt for/ }).click()
      await expect(page.getByRole('article')).toContainText(`Order ${order}`)
      const mail = await shop.mailbox.to(email, /receipt/)
      expect(mail.text?.replaceAll(/\s+/g, ' ')).toContain(`Order ${order}`)

      await enterAdmin(page, shop, '/admin/purchases')
      await page.getByRole('searchbox', { name: 'Search orders' }).fill(order)
      await expect(page).toHaveURL(new RegExp(`q=%23${number}`))
      const rows = page.getByRole('table', { name: 'Orders' }).getByRole('row')
      await expect(rows).toHaveCount(2)
      await rows.filter({ hasText: order }).getByRole('link').click()
      await expect(page.getByRole('heading', { name: `Order ${order}` })).toBeVisible()
      await page.goto(`/admin/shipping/slips?ids=${id}`)
      await expect(page.getByRole('article')).toContainText(order)
    },
  )
})

async function expectStats(page: Page, values: string[]) {
  await expect(page.locator('dl dt')).toHaveText(['Total Purchases', 'Digital Downloads', 'Account Status'])
  await expect(page.locator('dl dd')).toHaveText(values)
}

/** Once it has been asked whether this is an admin, and a moment has passed for the page to follow. */
async function openAsked(page: Page, shop: Shop, path: string) {
  const asked = page.waitForRequest(`${shop.url}/api/me`)
  await page.goto(path)
  await (await asked).response()
  await page.waitForTimeout(200)
}
