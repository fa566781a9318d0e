import { chromium } from '@playwright/test'
const url = 'http://localhost:4177'
const b = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
const which = process.argv.slice(2)
async function signIn(email, password) {
  const r = await fetch(url + '/auth/v1/token?grant_type=password', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  const s = await r.json()
  return { ...s, expires_at: Math.floor(Date.now() / 1000) + s.expires_in }
}
const admin = await signIn('author@example.com', 'the author herself')
const email = `shot-${Date.now()}@example.com`
await fetch(url + '/functions/v1/admin-create-user', {
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: `Bearer ${admin.access_token}` },
  body: JSON.stringify({ email, password: 'secret1', displayName: 'Ruth' }),
})
const reader = await signIn(email, 'secret1')
const call = (t, m, p, body) =>
  fetch(url + p, {
    method: m,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${t.access_token}` },
    body: body && JSON.stringify(body),
  }).then((r) => r.json())
const products = await (await fetch(url + '/api/products')).json()
const address = {
  name: 'Ruth of Moab',
  line1: '7 Barley Road',
  line2: 'Flat 2',
  city: 'Portland',
  state: 'OR',
  postal_code: '97201',
  country: 'US',
  phone: '+1 503 555 0100',
}
const ids = []
for (const f of ['paperback', 'hardcover', 'bundle']) {
  ids.push(
    (
      await call(reader, 'POST', '/api/purchases', {
        product_id: products.find((p) => p.format === f).id,
        address,
      })
    ).id,
  )
}
await call(admin, 'POST', '/api/admin/shipments/shipped', {
  parcels: [{ purchase_id: ids[0], carrier: 'USPS', tracking_number: '9400 1000 0000 0000 0000 00' }],
  is_told: true,
})
const list = await call(admin, 'GET', '/api/admin/shipments')
const key = 'lectern-auth'
const src = await (await fetch(url + '/')).text()
const storageKey = /getItem\('([^']+)'\)&&/.exec(src)[1]
async function page(session, width, scheme) {
  const c = await b.newContext({
    viewport: { width, height: width > 600 ? 900 : 850 },
    colorScheme: scheme,
    baseURL: url,
    reducedMotion: 'reduce',
  })
  const p = await c.newPage()
  p.on('console', (m) => m.type() === 'error' && console.log('ERR', m.text()))
  p.on('pageerror', (e) => console.log('PE', e.message))
  await p.goto('/robots.txt')
  await p.evaluate(([k, v]) => localStorage.setItem(k, v), [storageKey, JSON.stringify(session)])
  return p
}
const views = {
  list: async (p) => {
    await p.goto('/admin/shipping')
    await p.getByRole('checkbox').nth(1).check()
    await p.getByRole('checkbox').nth(2).check()
  },
  shipped: async (p) => {
    await p.goto('/admin/shipping?state=shipped')
    await p.getByRole('table').waitFor()
  },
  ship: async (p) => {
    await p.goto('/admin/shipping')
    await p.getByRole('checkbox').nth(1).check()
    await p.getByRole('checkbox').nth(2).check()
    await p.getByRole('button', { name: 'Mark as shipped' }).click()
    await p.getByRole('dialog').waitFor()
  },
  slips: async (p) => {
    await p.goto('/admin/shipping/slips?ids=' + ids.join(','))
    await p.getByRole('article').first().waitFor()
  },
  sold: async (p) => {
    await p.goto('/admin/purchases/' + ids[0])
    await p.getByText('Mails').first().waitFor()
  },
  sold2: async (p) => {
    await p.goto('/admin/purchases/' + ids[1])
    await p.getByRole('button', { name: 'Correct address' }).click()
    await p.getByRole('dialog').waitFor()
  },
}
const readerViews = {
  dash: async (p) => {
    await p.goto('/dashboard')
    await p.getByText('Shipped on').waitFor()
  },
  correct: async (p) => {
    await p.goto('/dashboard')
    await p
      .getByRole('button', { name: /Correct address/ })
      .first()
      .click()
    await p.getByRole('dialog').waitFor()
  },
  ask: async (p) => {
    await p.goto('/')
    await p
      .locator('#book-sales')
      .getByRole('button', { name: /paperback/i })
      .click()
    const again = p.getByRole('button', { name: 'Buy another' })
    await again.click()
    await p.getByLabel('Full name').waitFor()
  },
}
for (const [w, s] of [
  [1360, 'light'],
  [1360, 'dark'],
  [390, 'light'],
  [390, 'dark'],
]) {
  for (const [set, session] of [
    [views, admin],
    [readerViews, reader],
  ]) {
    const p = await page(session, w, s)
    for (const [n, go] of Object.entries(set)) {
      if (which.length && !which.includes(n)) continue
      try {
        await go(p)
        await p.waitForTimeout(300)
        await p.screenshot({
          path: `/tmp/ff-shots/${n}-${w}-${s}.png`,
          fullPage: ['dash', 'sold', 'slips'].includes(n),
        })
      } catch (e) {
        console.log(n, w, s, e.message.split('\n')[0])
        await p.screenshot({ path: `/tmp/ff-shots/${n}-${w}-${s}.png` })
      }
      if (n === 'slips' && w === 1360)
        await p.pdf({ path: `/tmp/ff-shots/slips-${s}.pdf`, format: 'A4', printBackground: false })
    }
    await p.context().close()
  }
}
await b.close()
