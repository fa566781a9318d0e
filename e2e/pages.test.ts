// The public pages: what stands at each address, whom they talk to, and how they wait and fail.
import type { Page, Request } from '@playwright/test'
import { part } from './part.ts'
import { expect, refusals, test } from './shop.ts'
import { expectToast } from './toast.ts'
import { enter, enterAdmin, makeUser } from './users.ts'

test('the home page shows its sections, leads where it says, and reaches each place on it @commit', async ({
  page,
  shop,
  complaints,
}) => {
  await part(
    page,
    'the home page shows its sections in order, what is saved and promised, and the formats in four, two and one columns',
    async () => {
      await page.goto('/')
      await expect(page.locator('main').locator('h1:visible, h2:visible')).toHaveText([
        /Nine P.s/,
        'A blueprint for faith',
        'Read a Preview',
        'The Nine P’s',
        'A personal invitation',
        'Get Your Copy Today',
        'Contact the Author',
        'Nine words. One foundation.',
      ])
      await expect(page.locator('main + footer')).toBeVisible()

      const hero = page.getByRole('region', { name: "Nine P's that Change Everything" })
      for (const name of ['Get the Book', 'Learn More'])
        await expect(hero.getByRole('link', { name })).toBeVisible()
      const words = page.getByRole('region', { name: "The Nine P's" }).getByRole('listitem')
      await expect(words.getByRole('heading')).toHaveText([
        'Propitiation',
        'Praise',
        'Provision',
        'Protection',
        'Peace',
        'Promise',
        'Power',
        'Perseverance',
        'Presence',
      ])
      await expect(words.locator('span')).toHaveText(
        Array.from({ length: 9 }, (_, index) => String(index + 1)),
      )
      await expect(words.getByRole('paragraph')).toHaveText(Array.from({ length: 9 }, () => /^\S.+\.$/))
      const contact = page.getByRole('region', { name: 'Contact the Author' })
      await expect(contact.locator('form')).toBeVisible()
      await expect(contact.getByRole('heading', { level: 3 })).toHaveCount(2)

      const sales = page.getByRole('region', { name: 'Get Your Copy Today' })
      await expect(sales).toHaveId('book-sales')
      const bundle = sales
        .getByRole('listitem')
        .filter({ has: page.getByRole('heading', { name: "Nine P's that Change Everything (Bundle)" }) })
      await expect(bundle.locator('s')).toHaveText('instead of $79.97')
      await expect(bundle.locator('s')).toHaveCSS('text-decoration-line', 'line-through')
      await expect(bundle.getByText('$49.97', { exact: true })).toBeVisible()
      for (const badge of ['Save $30', 'Best Value']) {
        await expect(bundle.getByText(badge, { exact: true })).toBeVisible()
        await expect(sales.getByText(badge, { exact: true })).toHaveCount(1)
      }
      await expect(sales.getByText('4.9 out of 5 stars', { exact: true })).toBeVisible()
      await expect(sales.getByRole('list').last().getByRole('listitem')).toHaveText([
        '30-day money-back guarantee',
        'Free shipping for physical items',
        'Instant download and PDF for digital',
        'Lifetime access',
        'Exclusive bonus for the bundle',
      ])

      const buttons = page.locator('#book-sales').getByRole('button', { name: /^Buy / })
      await expect(buttons).toHaveCount(4)
      for (const [width, columns] of [
        [1360, 4],
        [800, 2],
        [390, 1],
      ] as const) {
        await page.setViewportSize({ width, height: 850 })
        const lefts = await buttons.evaluateAll((cards) =>
          cards.map((card) => card.getBoundingClientRect().x),
        )
        expect(new Set(lefts).size, `columns at ${width} px`).toBe(columns)
      }
    },
  )

  await part(
    page,
    'the buttons of the home page lead where they say, and a place on it survives a reload',
    async () => {
      await page.goto('/')
      await page.getByRole('link', { name: 'Learn More' }).click()
      await expect(page.getByRole('heading', { name: 'Read a Preview' })).toBeInViewport()
      await page.getByRole('link', { name: 'Use the form' }).first().click()
      await expect(page.getByRole('heading', { name: 'Contact the Author' })).toBeInViewport()
      await page.getByRole('link', { name: 'Order Your Copy Today' }).click()
      const sale = page.getByRole('heading', { name: 'Get Your Copy Today' })
      await expect(sale).toBeInViewport()
      await expect(page).toHaveURL(`${shop.url}/#book-sales`)
      await page.reload()
      await expect(sale).toBeInViewport()
      await page.getByRole('link', { name: 'Preview Sample Chapter' }).click()
      await expect(page).toHaveURL(`${shop.url}/preview`)
      await expect(page.getByRole('heading', { level: 2, name: 'Propitiation' })).toBeVisible()
      await page.getByRole('link', { name: 'Get the Book' }).click()
      await expect(page).toHaveURL(`${shop.url}/#book-sales`)
      await expect(sale).toBeInViewport()
    },
  )

  await part(
    page,
    'a place below the products is reached, an empty catalogue leads to the author, and a long word breaks',
    async () => {
      await enter(page, shop, await makeUser(shop))
      await page.setViewportSize({ width: 390, height: 850 })
      await page.goto('/preview')
      await page.getByRole('contentinfo').getByRole('link', { name: 'Contact' }).click()
      await expect(page.locator('#book-sales').getByText('$14.99')).toBeAttached()
      await expect(page.getByRole('heading', { name: 'Contact the Author' })).toBeInViewport()

      await page.route('**/api/products', (route) => route.fulfill({ json: [] }))
      await askAnew(page)
      await expect(page.getByText('The book is not for sale at the moment')).toBeVisible()
      await page.getByRole('link', { name: 'Write to the author' }).click()
      await expect(page.getByRole('heading', { name: 'Contact the Author' })).toBeInViewport()
      await page.unroute('**/api/products')
      const word = 'Donaudampfschifffahrtsgesellschaftskapitän'
      await page.setViewportSize({ width: 360, height: 850 })
      await page.goto('/')
      await page.route('**/api/products', async (route) => {
        const [product] = (await (await route.fetch()).json()) as object[]
        await route.fulfill({ json: [{ ...product, name: word, description: word }] })
      })
      await askAnew(page)
      await expect(page.locator('#book-sales').getByText(word).first()).toBeVisible()
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
      expect(refusals(complaints)).toHaveLength(2)
    },
  )
})

test('the public pages load few scripts, ask no stranger, and work without storage and scripts', async ({
  page,
  shop,
  chrome,
  complaints,
}) => {
  await part(
    page,
    'a visitor who only reads loads next to no scripts; what is pressed loads what it needs',
    async () => {
      const sizes: Promise<number>[] = []
      page.on('requestfinished', (request) => {
        if (request.resourceType() === 'script') sizes.push(transferredBytes(request))
      })
      const loaded = async () => {
        await page.waitForLoadState('networkidle')
        const bytes = await Promise.all(sizes.splice(0))
        return bytes.reduce((sum, each) => sum + each, 0)
      }
      for (const path of ['/', '/preview']) {
        await page.goto(path)
        expect(await loaded(), path).toBeLessThanOrEqual(4_000)
      }
      await page.goto('/')
      await page.getByRole('button', { name: 'Send Message' }).click()
      await expect(page.locator('#contact form [aria-invalid]').first()).toBeVisible()
      expect(await loaded()).toBeLessThanOrEqual(84_000)
    },
  )

  await part(page, 'no page asks anyone but the shop for anything', async () => {
    const strangers: string[] = []
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url())
      if (protocol !== 'data:' && origin !== shop.url) strangers.push(request.url())
    })
    for (const path of ['/', '/preview', '/auth', '/dashboard', '/nowhere']) {
      await page.goto(path, { waitUntil: 'networkidle' })
    }
    expect(strangers).toEqual([])
    expect(refusals(complaints)).toHaveLength(1)
  })

  await part(page, 'without JavaScript one can read, and is told what else needs it', async () => {
    await using context = await chrome.newContext({ javaScriptEnabled: false, baseURL: shop.url })
    const page = await context.newPage()
    for (const path of ['/', '/preview', '/auth', '/dashboard']) {
      await page.goto(path)
      await expect(page.locator('noscript')).toBeInViewport()
    }
    await page.goto('/gift')
    await expect(page.getByRole('heading', { name: 'Your gift' })).toBeVisible()
    await expect(page.getByText('Loading your gift...')).toBeHidden()
    await page.goto('/dashboard')
    await page.locator('noscript a[href="/find-purchase"]').click()
    await expect(page).toHaveURL(`${shop.url}/find-purchase`)
    await page.goto('/')
    await page.getByRole('link', { name: 'Learn More' }).click()
    await expect(page.getByRole('heading', { name: 'Read a Preview' })).toBeInViewport()
  })

  await part(
    page,
    'an unknown path gets status 404 and a way home, within the site as well, and from the admin area back to it',
    async () => {
      const response = await page.goto('/no/such/page')
      expect(response?.status()).toBe(404)
      await expect(page.getByRole('heading', { name: 'Oops! Page not found' })).toBeVisible()
      await page.getByRole('link', { name: 'Return to Home' }).click()
      await expect(page).toHaveURL(`${shop.url}/`)
      await expect(page.getByRole('heading', { name: 'Get Your Copy Today' })).toBeVisible()
      expect(refusals(complaints)).toHaveLength(1)

      await enter(page, shop, await makeUser(shop))
      const documents: string[] = []
      page.on('request', (request) => {
        if (request.resourceType() === 'document') documents.push(new URL(request.url()).pathname)
      })
      await page.goto('/auth?next=/no/such/page')
      await expect(page.getByRole('heading', { name: 'Oops! Page not found' })).toHaveCount(1)
      await expect(page.getByRole('banner')).toHaveCount(1)
      await expect(page).toHaveURL(`${shop.url}/no/such/page`)
      expect(refusals(complaints)).toHaveLength(1)
      expect(documents).toEqual(['/auth', '/no/such/page'])
      await page.getByRole('link', { name: 'Return to Home' }).click()
      await expect(page).toHaveURL(`${shop.url}/`)
      await enterAdmin(page, shop)
      expect((await page.goto('/admin/nonsense'))?.status()).toBe(404)
      await expect(page.getByRole('heading', { name: 'Oops! Page not found' })).toBeVisible()
      await expect(page.getByRole('link', { name: 'Return to Home' })).toHaveAttribute('href', '/')
      await page.getByRole('link', { name: 'Admin Dashboard' }).click()
      await expect(page).toHaveURL(`${shop.url}/admin`)
      await page.goto('/nonsense')
      await expect(page.getByRole('link', { name: 'Return to Home' })).toBeVisible()
      await expect(page.getByRole('link', { name: 'Admin Dashboard' })).toHaveCount(0)
      expect(refusals(complaints)).toHaveLength(2)
    },
  )

  await part(page, 'a browser that forbids storage shows the public pages all the same', async () => {
    await page.addInitScript(() => {
      for (const name of ['localStorage', 'sessionStorage']) {
        const get = () => {
          throw new DOMException('denied', 'SecurityError')
        }
        Object.defineProperty(window, name, { get, configurable: true })
      }
    })
    await page.goto('/')
    await page.locator('#contact form').getByLabel('Name').fill('Ruth')
    await page.getByRole('link', { name: 'Preview Sample Chapter' }).click()
    await expect(page.getByRole('heading', { level: 2, name: 'Propitiation' })).toBeVisible()
    for (const [path, heading] of [
      ['/', 'Get Your Copy Today'],
      ['/auth', "Nine P's that Change Everything"],
    ] as const) {
      await page.goto(path)
      await page.reload()
      await expect(page.getByRole('heading', { name: heading })).toBeVisible()
    }
  })
})

test('products and scripts that load late, fail or are gone break no page', async ({
  page,
  shop,
  complaints,
}) => {
  await part(
    page,
    'in the app, a link whose script is gone since an upgrade loads its page as a document',
    async () => {
      await enter(page, shop, await makeUser(shop))
      await page.goto('/account')
      await page.waitForLoadState('networkidle')
      let isUpgraded = false
      await page.route('**/dashboard', async (route) => {
        isUpgraded = true
        await route.continue()
      })
      await page.route('**/assets/dashboard-*.js', (route) =>
        isUpgraded ? route.continue() : route.fulfill({ status: 404 }),
      )
      await page.getByRole('banner').getByRole('link', { name: 'Dashboard' }).click()
      await expect(page).toHaveURL(`${shop.url}/dashboard`)
      await expect(page.locator('html')).toHaveAttribute('data-alive')
      expect(isUpgraded).toBe(true)
      expect(refusals(complaints)).toHaveLength(1)
      // React Router's own.
      expect(complaints.splice(0).join()).toMatch(/Error loading route module .*Failed to fetch dynamically/)
    },
  )

  await part(
    page,
    'after a refusal products show that they load, and that they failed to, or were nothing readable',
    async () => {
      await enter(page, shop, await makeUser(shop))
      const held = Promise.withResolvers<void>()
      await page.goto('/')
      await page.route('**/api/products', async (route) => {
        await held.promise
        await route.abort()
      })
      await askAnew(page)
      await expect(page.getByText('Loading products...')).toBeAttached()
      held.resolve()
      const notice = page.getByRole('status').filter({ hasText: 'Failed to load products' })
      await expect(notice).toContainText('Error')
      expect(refusals(complaints)).toHaveLength(2)

      await page.unroute('**/api/products')
      await page.getByRole('button', { name: 'Try again' }).click()
      await expect(page.locator('#book-sales').getByText('$14.99')).toBeVisible()
      await expect(page.getByText('Loading products...')).toHaveCount(0)
      await page.route('**/api/products', (route) => route.fulfill({ body: '<p>A stranger’s page</p>' }))
      await askAnew(page)
      await expectToast(page, 'Error', 'An unexpected error occurred')
      await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
      expect(refusals(complaints)).toHaveLength(1)
    },
  )

  await part(page, 'a form that is sent before its script is there is sent once, when it is', async () => {
    let sent = 0
    page.on('request', (request) => {
      if (request.method() === 'POST') sent += 1
    })
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route('**/assets/*.js', async (route) => {
      await promise
      await route.continue()
    })
    await page.goto('/', { waitUntil: 'domcontentloaded' })
    const values = { Name: 'Ruth', Email: 'ruth@example.com', Subject: 'Early', Message: 'Before the script' }
    for (const [label, value] of Object.entries(values))
      await page.getByLabel(label, { exact: true }).fill(value)
    await page.getByRole('button', { name: 'Send Message' }).click()
    await expect(page.getByRole('button', { name: 'Sending...' })).toHaveCSS('opacity', '0.6')
    await page.getByLabel('Subject').press('Enter')
    expect(sent).toBe(0)
    resolve()
    await expect(page.getByText('Message Sent Successfully!')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Send Message' })).toHaveCSS('opacity', '1')
    await expect(page).toHaveURL('/')
    expect(sent).toBe(1)
  })
})

/** A purchase that the shop refuses because the page is outdated: it asks for the products anew. */
async function askAnew(page: Page): Promise<void> {
  const detail = 'This product is not for sale any more.'
  const json = { code: 'purchases.not_for_sale', status: 409, detail }
  await page.route('**/api/purchases', (route) => route.fulfill({ status: 409, json }))
  await page.getByRole('button', { name: 'Buy Digital' }).click()
}

async function transferredBytes(request: Request): Promise<number> {
  const { responseBodySize, responseHeadersSize } = await request.sizes()
  return responseBodySize + responseHeadersSize
}
