// The main job: a visitor becomes a user with the book in hand.
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { unzipSync } from 'fflate'
import { part } from './part.ts'
import { expect, refusals, test } from './shop.ts'
import { expectToast } from './toast.ts'
import { buy as buyOverHttp, enter, fillSignUp, linksTo, makeUser, post, productOf } from './users.ts'

const words = 'You are offline. Please try again when you are connected.'

const greeting = (page: Page) => page.getByRole('region', { name: /^Thank you for buying/ })

const row = (page: Page) => page.getByRole('region', { name: 'Your Purchases' }).getByRole('listitem')

test('a visitor signs up, confirms by mail, buys, gets the mail, and saves a file that opens @commit', async ({
  page,
  shop,
}) => {
  const email = 'new.user@example.com'
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toHaveAccessibleName(
    "Nine P's that Change Everything",
  )

  await page
    .locator('#book-sales')
    .getByRole('button', { name: /digital/i })
    .click()
  await expect(page.getByText('Please sign in to purchase this product')).toBeVisible()
  await expect(page).toHaveURL(/\/auth/)

  await fillSignUp(page, email)
  await expect(page.getByText('Account Created!')).toBeVisible()
  await expect(page.getByText('Please check your email to verify your account.')).toBeVisible()
  await page.goto((await linksTo(shop, email, /confirm/i))[0]!)
  await page.getByRole('button', { name: 'Confirm my email and sign in' }).click()
  await expect(page.getByRole('link', { name: 'Dashboard' })).toBeVisible()
  await expect(page).toHaveURL(`${shop.url}/#book-sales`)
  expect(await sessionFields(page)).toEqual(
    expect.arrayContaining([
      'access_token',
      'expires_at',
      'expires_in',
      'refresh_token',
      'token_type',
      'user',
    ]),
  )

  const buy = page.locator('#book-sales').getByRole('button', { name: /digital/i })
  await buy.click()
  await expect(page.getByRole('button', { name: 'Processing...' })).toBeVisible()
  await expect(page.getByText('Purchase Successful!')).toBeVisible()
  await expect(
    page.getByText(
      "You have successfully purchased Nine P's that Change Everything. Check your email for download instructions.",
    ),
  ).toBeVisible()
  await page.waitForURL('**/dashboard')

  const receipt = await shop.mailbox.to(email, /receipt/i)
  expect(receipt.text).toContain('$14.99')
  expect(receipt.text).toContain(`${shop.url}/dashboard`)

  await expect(page.getByRole('heading', { name: `Welcome, ${email}` })).toBeVisible()
  const row = page.getByRole('listitem').filter({ hasText: "Nine P's that Change Everything" })
  await expect(row).toContainText('$14.99')
  await expect(row).toContainText('completed')

  const saved = page.waitForEvent('download')
  await row.getByRole('button', { name: /^Download EPUB \(\d+ kB\): Nine P's/ }).click()
  await expect(page.getByText("Downloading Nine P's that Change Everything...")).toBeVisible()
  const file = await saved
  expect(file.suggestedFilename()).toBe("Nine P's that Change Everything.epub")
  const epub = unzipSync(await readFile(await file.path()))
  expect(new TextDecoder().decode(epub['mimetype'])).toBe('application/epub+zip')

  const savedPdf = page.waitForEvent('download')
  await row.getByRole('button', { name: /^Download PDF/ }).click()
  const pdf = await readFile(await (await savedPdf).path())
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')

  const places: string[] = []
  page.on('framenavigated', (frame) => places.push(frame.url()))
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page.getByText('Signed Out')).toBeVisible()
  await expect(page).toHaveURL(`${shop.url}/`)
  expect(places).toEqual([`${shop.url}/`])
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
})

test('after a purchase the dashboard has what was bought, and asks for what is missing @commit', async ({
  page,
  shop,
}) => {
  await part(
    page,
    'a second copy, also of what came in a bundle, is asked about first, and a physical one is promised, not downloaded',
    async () => {
      const email = 'gift.giver@example.com'
      await page.goto('/auth?next=%2F%23book-sales')
      await fillSignUp(page, email)
      await page.goto((await linksTo(shop, email, /confirm/i))[0]!)
      await page.getByRole('button', { name: 'Confirm my email and sign in' }).click()

      const buy = page.locator('#book-sales').getByRole('button', { name: /paperback/i })
      await buy.click()
      await expect(page.getByText('We will process your order shortly.')).toBeVisible()
      await page.waitForURL('**/dashboard')
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
      await expect(page.getByRole('listitem')).toHaveCount(1)
      await expect(page.getByRole('button', { name: /^Download/ })).toHaveCount(0)

      await page.getByRole('link', { name: 'Back to Home' }).click()
      await buy.click()
      const question = page.getByRole('dialog', { name: 'You have this one already' })
      await question.getByRole('button', { name: 'Keep the one I have' }).click()
      await page.goto('/dashboard')
      await expect(page.getByRole('listitem')).toHaveCount(1)

      await page.goto('/')
      await buy.click()
      await question.getByRole('button', { name: 'Buy another' }).click()
      await page.waitForURL('**/dashboard')
      await expect(page.getByRole('listitem')).toHaveCount(2)

      await buyOverHttp(shop, await enter(page, shop, await makeUser(shop)), 'bundle')
      await page.goto('/')
      await page
        .locator('#book-sales')
        .getByRole('button', { name: /digital/i })
        .click()
      await expect(question).toContainText('is among your books.')
    },
  )

  await part(
    page,
    'after a digital purchase the dashboard has the files, how to read them, and where the receipt is; another user is not greeted',
    async () => {
      const session = await enter(page, shop, await makeUser(shop))
      await buyHere(page, 'Buy Digital')
      await expect(greeting(page)).toContainText('You find the receipt here')
      for (const device of ['iPhone and iPad', 'Android phone and tablet', 'Kindle'])
        await expect(greeting(page).getByText(device, { exact: true })).toBeVisible()
      await greeting(page).getByText('Kindle', { exact: true }).click()
      await expect(greeting(page).getByRole('link', { name: 'Send to Kindle' })).toHaveAttribute(
        'href',
        /amazon/,
      )
      const saved = page.waitForEvent('download')
      await greeting(page)
        .getByRole('button', { name: /^Download/ })
        .first()
        .click()
      expect((await saved).suggestedFilename()).toMatch(/\.epub$/)

      await page.reload()
      await expect(greeting(page)).toBeVisible()
      // The card of a purchase offers nothing while the next one is confirmed.
      const { id: product_id } = await productOf(shop, 'paperback')
      const { access_token } = session
      const { id } = await post<{ id: string }>(shop, '/api/purchases', { product_id }, access_token)
      const looked = Promise.withResolvers<void>()
      await page.route('**/settle', async (route) => {
        await looked.promise
        await route.continue()
      })
      await page.goto(`/dashboard?paid=${id}`)
      await expect(row(page)).toHaveCount(2)
      await expect(page.getByText('Your payment is being confirmed.')).toBeVisible()
      await expect(greeting(page)).toHaveCount(0)
      looked.resolve()
      await expect(greeting(page)).toContainText('(Paperback)')
      await expect(page).toHaveURL(/\/dashboard$/)
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
      await greeting(page).getByRole('button', { name: 'Dismiss the greeting' }).click()
      await expect(greeting(page)).toHaveCount(0)
      await expect(page.getByRole('heading', { name: 'Your Purchases' })).toBeFocused()
      await page.reload()
      await expect(row(page)).toHaveCount(2)
      await expect(greeting(page)).toHaveCount(0)

      await enter(page, shop, await makeUser(shop))
      await buyHere(page, 'Buy Digital')
      await expect(greeting(page)).toBeVisible()
      await enter(page, shop, await makeUser(shop))
      await page.goto('/dashboard')
      await expect(page.getByText('No purchases yet')).toBeVisible()
      await expect(greeting(page)).toHaveCount(0)
    },
  )

  await part(
    page,
    'paper asks for its address at once, waits for it visibly, and offers the last one; made elsewhere, it greets nobody',
    async () => {
      await enter(page, shop, await makeUser(shop))
      await buyHere(page, 'Buy Paperback')
      const question = page.getByRole('dialog', { name: 'Where shall we send it?' })
      await expect(question.getByLabel('Full name')).toBeFocused()
      await question.getByRole('button', { name: 'Cancel' }).click()
      await expect(row(page)).toContainText('We need your address')

      // It is put off, not forgotten; and it does not open by itself again.
      await page.reload()
      await expect(row(page)).toContainText('We need your address')
      await expect(question).toHaveCount(0)
      await greeting(page)
        .getByRole('button', { name: /^Tell us where to send it/ })
        .click()
      await question.getByLabel('Full name').fill('Ruth of Moab')
      await question.getByLabel('Street and number').fill('7 Barley Road')
      await question.getByLabel('City').fill('Portland')
      await question.getByLabel('State').selectOption('Oregon')
      await question.getByLabel('ZIP code').fill('97201')
      for (const [label, token] of [
        ['Full name', 'shipping name'],
        ['Street and number', 'shipping address-line1'],
        ['State', 'shipping address-level1'],
        ['ZIP code', 'shipping postal-code'],
      ] as const)
        await expect(question.getByLabel(label)).toHaveAttribute('autocomplete', token)
      await question.getByRole('button', { name: 'Save this address' }).click()
      await expect(row(page)).toContainText(
        'We will ship it to Ruth of Moab, 7 Barley Road, Portland, OR 97201',
      )
      await expect(greeting(page)).toContainText('We will ship it to Ruth of Moab')
      await expect(question).toHaveCount(0)

      await page.getByRole('link', { name: 'Back to Home' }).click()
      await buyHere(page, 'Buy Hardcover')
      await expect(question).toContainText('This is where your last book went')
      await expect(question.getByLabel('Full name')).toHaveValue('Ruth of Moab')
      await expect(question.getByLabel('State')).toHaveValue('OR')
      await question.getByRole('button', { name: 'Save this address' }).click()
      await expect(row(page).first()).toContainText('We will ship it to Ruth of Moab')
      await buyOverHttp(shop, await enter(page, shop, await makeUser(shop)), 'paperback')
      await page.goto('/dashboard')
      await expect(row(page)).toContainText('We need your address')
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await expect(greeting(page)).toHaveCount(0)
    },
  )
})

test('a purchase is made once: by quick clicks, offline, and where it fails at first @commit', async ({
  page,
  context,
  shop,
  complaints,
}) => {
  await part(
    page,
    'three quick clicks buy once, and the good news stands for two seconds before the dashboard comes',
    async () => {
      await enter(page, shop, await makeUser(shop))
      let posts = 0
      page.on('request', (request) => {
        if (request.method() === 'POST' && request.url().endsWith('/api/purchases')) posts += 1
      })
      await page.goto('/')
      const buy = page.locator('#book-sales').getByRole('button', { name: /digital/i })
      await expect(page.getByRole('link', { name: 'Dashboard' })).toBeVisible()
      // By the page's own clock: seen from here, both ends would come late, and unevenly so.
      await page.evaluate(() => {
        const look = setInterval(() => {
          const notices = [...document.querySelectorAll('[role=status]')]
          if (!notices.some((each) => each.textContent.includes('Purchase Successful!'))) return
          sessionStorage.setItem('noticed-at', String(Date.now()))
          clearInterval(look)
        }, 20)
      })
      await buy.click({ clickCount: 3 })
      await page.waitForURL('**/dashboard')
      const stood = await page.evaluate(
        () => performance.timeOrigin - Number(sessionStorage.getItem('noticed-at')),
      )
      // Less than two seconds: a busy page looks late for the notice.
      expect(stood).toBeGreaterThan(1_500)
      await expect(page.getByText('Purchase Successful!')).toBeVisible()
      await expect(page.getByRole('listitem')).toHaveCount(1)
      expect(posts).toBe(1)
    },
  )

  await part(page, 'a purchase begun offline is bought once when the connection is back', async () => {
    await enter(page, shop, await makeUser(shop))
    await page.goto('/')
    await expect(page.getByRole('link', { name: 'Dashboard' })).toBeVisible()
    const keys: (string | undefined)[] = []
    // The response to the first try is lost on its way.
    await page.route('**/api/purchases', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      keys.push(route.request().headers()['idempotency-key'])
      if (keys.length > 1) return route.continue()
      await route.fetch()
      await context.setOffline(true)
      return route.abort()
    })
    const button = page.getByRole('button', { name: 'Buy Digital', exact: true })
    await button.click()
    await expectToast(page, 'Purchase Failed', words)
    await context.setOffline(false)
    await button.click()
    await page.waitForURL('**/dashboard')
    await expect(page.getByRole('listitem')).toHaveCount(1)
    expect(new Set(keys).size).toBe(1)
    refusals(complaints)
  })

  await part(
    page,
    'a purchase that failed says why: in the server’s words, as unexpected, or that the page is to be loaded again',
    async () => {
      await enter(page, shop, await makeUser(shop))
      await page.goto('/')
      const detail = 'This product is not for sale any more.'
      await page.route('**/api/purchases', (route) =>
        route.fulfill({ status: 410, json: { code: 'products.not_found', status: 410, detail } }),
      )
      await page.getByRole('button', { name: 'Buy Digital' }).click()
      await expectToast(page, 'Purchase Failed', detail)
      await page.unroute('**/api/purchases')
      await page.route('**/api/purchases?*', (route) => route.abort())
      await page.getByRole('button', { name: 'Buy Digital' }).click()
      await expectToast(page, 'Purchase Failed', 'An unexpected error occurred')
      await expect(page).toHaveURL(`${shop.url}/`)
      expect(refusals(complaints)).toHaveLength(2)
      await page.unroute('**/api/purchases?*')
      await page.route('**/assets/offers.island-*.js', (route) => route.abort())
      await page.reload()
      const button = page.getByRole('button', { name: 'Buy Digital', exact: true })
      await button.click()
      const lost = page.getByRole('alert').filter({ hasText: 'A part of this page was not loaded.' })
      await expect(lost).toBeVisible()
      await expect(button).toBeFocused()
      await page.unroute('**/assets/offers.island-*.js')
      await lost.getByRole('button', { name: 'Load again' }).click()
      await expect(lost).toBeHidden()
      await button.click()
      await page.waitForURL('**/dashboard')
      expect(refusals(complaints)).toHaveLength(1)
    },
  )
})

function sessionFields(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const stored = Object.values(localStorage).find((value) => String(value).includes('access_token'))
    return Object.keys(JSON.parse(String(stored)) as object)
  })
}

async function buyHere(page: Page, name: string) {
  await page.goto('/')
  await page.getByRole('button', { name }).click()
  await page.waitForURL('**/dashboard')
}
