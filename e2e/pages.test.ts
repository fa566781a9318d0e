// The pages themselves: what stands at each address, whom they talk to, and how they wait and fail.
import type { Request } from '@playwright/test'
import { expect, refusals, test } from './shop.ts'

test('an unknown path gets status 404 and a way home', async ({ page, shop, complaints }) => {
  const response = await page.goto('/no/such/page')
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: 'Oops! Page not found' })).toBeVisible()
  await page.getByRole('link', { name: 'Return to Home' }).click()
  await expect(page).toHaveURL(`${shop.url}/`)
  await expect(page.getByRole('heading', { name: 'Get Your Copy Today' })).toBeVisible()
  expect(refusals(complaints)).toHaveLength(1)
})

for (const [path, atMost] of [
  ['/', 128_750],
  ['/preview', 126_500],
] as const)
  test(`a visitor loads at most ${atMost / 1000} kB of scripts to read ${path}`, async ({ page }) => {
    const sizes: Promise<number>[] = []
    page.on('requestfinished', (request) => {
      if (request.resourceType() === 'script') sizes.push(transferredBytes(request))
    })
    await page.goto(path)
    await page.waitForLoadState('networkidle')
    const bytes = await Promise.all(sizes)
    expect(bytes.length).toBeGreaterThan(3)
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(atMost)
  })

test('a link whose script is gone since an upgrade loads its page as a document', async ({
  page,
  shop,
  complaints,
}) => {
  await page.goto('/')
  await page.waitForLoadState('networkidle')
  let isUpgraded = false
  await page.route('**/preview', async (route) => {
    isUpgraded = true
    await route.continue()
  })
  await page.route('**/assets/preview-*.js', (route) =>
    isUpgraded ? route.continue() : route.fulfill({ status: 404 }),
  )
  await page.getByRole('link', { name: 'Read a preview' }).first().click()
  await expect(page).toHaveURL(`${shop.url}/preview`)
  await expect(page.locator('html')).toHaveAttribute('data-alive')
  expect(isUpgraded).toBe(true)
  expect(refusals(complaints)).toHaveLength(1)
  // React Router's own.
  expect(complaints.splice(0).join()).toMatch(/Error loading route module .*Failed to fetch dynamically/)
})

test('the buttons of the home page lead where they say, and a place on it survives a reload', async ({
  page,
  shop,
}) => {
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
})

test('coming from within the site, products show that they load, and that they failed to', async ({
  page,
  complaints,
}) => {
  const held = Promise.withResolvers<void>()
  await page.goto('/preview')
  await page.route('**/api/products', async (route) => {
    await held.promise
    await route.abort()
  })
  await page.getByRole('link', { name: 'Back to the book' }).click()
  await expect(page.getByText('Loading products...')).toBeAttached()
  held.resolve()
  const notice = page.getByRole('status').filter({ hasText: 'Failed to load products' })
  await expect(notice).toContainText('Error')
  expect(refusals(complaints)).toHaveLength(1)

  await page.unroute('**/api/products')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.locator('#book-sales').getByText('$14.99')).toBeVisible()
  await expect(page.getByText('Loading products...')).toHaveCount(0)
})

test('a place below the products is kept when they come', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 850 })
  await page.goto('/preview')
  await page.getByRole('contentinfo').getByRole('link', { name: 'Contact' }).click()
  await expect(page.locator('#book-sales').getByText('$14.99')).toBeAttached()
  await expect(page.getByRole('heading', { name: 'Contact the Author' })).toBeInViewport()
})

test('an empty catalogue is explained, and leads to the author', async ({ page }) => {
  await page.goto('/preview')
  await page.route('**/api/products', (route) => route.fulfill({ json: [] }))
  await page.getByRole('link', { name: 'Back to the book' }).click()
  await expect(page.getByText('The book is not for sale at the moment')).toBeVisible()
  await page.getByRole('link', { name: 'Write to the author' }).click()
  await expect(page.getByRole('heading', { name: 'Contact the Author' })).toBeInViewport()
})

test('a long word in a product’s name breaks, and not the page', async ({ page }) => {
  const word = 'Donaudampfschifffahrtsgesellschaftskapitän'
  await page.setViewportSize({ width: 360, height: 850 })
  await page.goto('/preview')
  await page.route('**/api/products', async (route) => {
    const [product] = (await (await route.fetch()).json()) as object[]
    await route.fulfill({ json: [{ ...product, name: word, description: word }] })
  })
  await page.getByRole('link', { name: 'Back to the book' }).click()
  await expect(page.locator('#book-sales').getByText(word).first()).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
})

test('a browser that forbids storage shows the public pages all the same', async ({ page }) => {
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

test('no page asks anyone but the shop for anything', async ({ page, shop, complaints }) => {
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

test('robots and phones find what they ask for', async ({ request, shop }) => {
  const text = async (path: string) => (await request.get(path)).text()
  expect(await text('/robots.txt')).toContain(`Sitemap: ${shop.url}/sitemap.xml`)
  const sitemap = await text('/sitemap.xml')
  for (const path of ['/', '/preview']) expect(sitemap).toContain(`<loc>${shop.url}${path}</loc>`)
  const manifest = JSON.parse(await text('/manifest.webmanifest')) as {
    name: string
    icons: { src: string }[]
  }
  expect(manifest.name).toBe("Nine P's that Change Everything")
  for (const { src } of manifest.icons) {
    expect((await request.get(src)).headers()['content-type']).toBe('image/png')
  }
})

test('without JavaScript one can read, and is told what else needs it', async ({ chrome, shop }) => {
  await using context = await chrome.newContext({ javaScriptEnabled: false, baseURL: shop.url })
  const page = await context.newPage()
  for (const path of ['/', '/preview', '/auth', '/dashboard']) {
    await page.goto(path)
    await expect(page.locator('noscript')).toBeInViewport()
  }
  await page.goto('/')
  await page.getByRole('link', { name: 'Learn More' }).click()
  await expect(page.getByRole('heading', { name: 'Read a Preview' })).toBeInViewport()
})

test('a form that is sent before its script is there keeps what was typed, and is sent afterwards', async ({
  page,
}) => {
  let sent = 0
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/contact')) sent += 1
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
  const send = page.getByRole('button', { name: 'Send Message' })
  await send.click()
  await page.getByLabel('Subject').press('Enter')
  await expect(send).toHaveCSS('opacity', '0.6')
  resolve()
  await expect(page.locator('html')).toHaveAttribute('data-alive')
  expect(new URL(page.url()).search).toBe('')
  expect(sent).toBe(0)
  await expect(send).toHaveCSS('opacity', '1')
  await send.click()
  await expect(page.getByText('Message Sent Successfully!')).toBeVisible()
  expect(sent).toBe(1)
})

async function transferredBytes(request: Request): Promise<number> {
  const { responseBodySize, responseHeadersSize } = await request.sizes()
  return responseBodySize + responseHeadersSize
}
