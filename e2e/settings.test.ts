// Settings on the screen, with a proof and never over another admin’s; the keys of Stripe; backups.
import type { Locator } from '@playwright/test'
import { openDatabase } from '#platform/db/client.ts'
import { age } from '#test/changes.ts'
import { part } from './part.ts'
import { beginCheckout, payHere } from './paying.ts'
import { admin, expect, refusals, test } from './shop.ts'
import { buy, enterAdmin, makeUser, password, signIn, storedSession } from './users.ts'

test('the author saves settings of the shop, shipping and tax, with a proof and over nobody’s', async ({
  page,
  shop,
  complaints,
}) => {
  await part(
    page,
    'an admin sets the time zone and the address; a mistake stays in its field; another admin is invited, and removed',
    async () => {
      await enterAdmin(page, shop, '/admin/settings')
      const main = page.getByRole('main')
      const address = main.getByLabel('Address')
      await expect(main.getByText('opens on this computer only', { exact: false })).toBeVisible()

      await address.fill('books.example/shop')
      await main.getByRole('button', { name: 'Save' }).click()
      await expect(address).toBeFocused()
      await expect(address).toHaveAccessibleDescription(/leave out what follows the host/)
      await expect(address).toHaveValue('books.example/shop')
      const warning = main.getByRole('alert').filter({ hasText: 'Passkeys belong to localhost' })
      await expect(warning).toBeVisible()
      const save = main.getByRole('button', { name: 'Save' })
      await page.setViewportSize({ width: 390, height: 600 })
      await address.focus()
      await expect(save).toBeInViewport({ ratio: 1 })
      await expectUncovered(main)
      await page.setViewportSize({ width: 1360, height: 850 })

      await address.fill(shop.url)
      await expect(warning).toBeHidden()
      await main.getByLabel('Time zone').selectOption('Europe/Berlin')
      await main.getByRole('button', { name: 'Save' }).click()
      await expect(page.getByText('Settings saved')).toBeVisible()
      await expect(main.getByText(`Last changed by ${admin.email}`, { exact: false })).toBeVisible()
      await page.setViewportSize({ width: 390, height: 600 })
      await main.getByLabel('Time zone').selectOption('Asia/Tokyo')
      await expectUncovered(main)
      await page.setViewportSize({ width: 1360, height: 850 })
      await main.getByRole('button', { name: 'Save' }).click()
      await expect(main.locator('[data-save-bar]')).toHaveCount(0)
      await page.goto('/admin/sales')
      await expect(main.getByText('Asia/Tokyo', { exact: false }).first()).toBeVisible()

      await page.goto('/admin/settings/admins')
      await expect(main.getByText('The last admin cannot be removed.')).toBeVisible()
      await main.getByLabel('Email address').fill('editor')
      await main.getByRole('button', { name: 'Add' }).click()
      await expect(main.getByLabel('Email address')).toHaveAccessibleDescription(/valid email address/)
      await main.getByLabel('Email address').fill('editor@books.example')
      await main.getByRole('button', { name: 'Add' }).click()
      await expect(page.getByText('Admin invited')).toBeVisible()
      await expect(main.getByText('Has not signed in yet')).toBeVisible()
      await main.getByRole('button', { name: 'Remove editor@books.example' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
      await expect(main.getByText('The last admin cannot be removed.')).toBeVisible()
    },
  )

  await part(page, 'an admin chooses countries and tax', async () => {
    await enterAdmin(page, shop, '/admin/settings/shipping#delivery_days_min')
    const main = page.getByRole('main')
    await expect(main.getByLabel('From (days)')).toBeFocused()
    await main.getByLabel('Countries', { exact: true }).selectOption('Canada')
    await main.getByRole('button', { name: 'Add', exact: true }).click()
    await main.getByRole('button', { name: 'Remove United States' }).click()
    await expect(main.getByRole('button', { name: 'Remove Canada' })).toBeFocused()
    await main.getByRole('link', { name: 'Tax' }).click()
    await page.getByRole('button', { name: 'Stay on this page' }).click()
    await main.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Settings saved')).toBeVisible()
    const terms = await (await fetch(`${shop.url}/api/shipping`)).json()
    expect(terms).toMatchObject({ asks_address: false, countries: ['CA'] })
    await main.getByRole('button', { name: 'Add all that Stripe serves' }).click()

    await page.reload()
    await main.getByRole('link', { name: 'Tax' }).click()
    await main.getByText('Stripe’s tax codes').click()
    await main.getByLabel('Digital').fill('txcd_1')
    await main.getByLabel('Work out tax').check()
    await main.getByLabel('Tax in your prices').selectOption('included')
    await page.setViewportSize({ width: 390, height: 850 })
    await main.getByRole('button', { name: 'Save' }).click()
    await expect(main.getByLabel('Digital')).toBeFocused()
    await main.getByLabel('Digital').fill('txcd_10302001')
    await main.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Settings saved').last()).toBeVisible()
    await expect(main.getByLabel('Work out tax')).toBeChecked()
  })

  await part(page, 'settings wait for a proof, and do not overwrite another admin’s', async () => {
    const { access_token } = await enterAdmin(page, shop, '/admin/settings')
    const main = page.getByRole('main')
    await using database = openDatabase(shop.databaseUrl, { max: 1 })
    const saved = page.getByText('Settings saved')

    await main.getByLabel('Time zone').selectOption('Europe/Berlin')
    await age(database, 'auth.sessions.proved_at', '11 minutes')
    await main.getByRole('button', { name: 'Save' }).click()
    const proof = page.getByRole('dialog', { name: 'Confirm it’s you' })
    await proof.getByLabel('Your password').fill('a guess')
    await proof.getByRole('button', { name: 'Save' }).click()
    await expect(proof.getByText('That’s not your password.')).toBeVisible()
    await proof.getByLabel('Your password').fill(admin.password)
    await proof.getByRole('button', { name: 'Save' }).click()
    await expect(saved).toBeVisible()
    await expect(main.getByLabel('Time zone')).toHaveValue('Europe/Berlin')

    await database.pool.query('update auth.sessions set proved_at = now()')
    await main.getByLabel('Time zone').selectOption('Asia/Tokyo')
    const url = `${shop.url}/api/admin/settings/shop`
    const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' }
    const { revision } = (await (await fetch(url, { headers })).json()) as { revision: number }
    const values = { site_url: 'https://books.example' }
    await fetch(url, { method: 'PUT', headers, body: JSON.stringify({ revision, values }) })
    await main.getByRole('button', { name: 'Save' }).click()
    await expect(main.getByRole('alert')).toContainText('has changed these settings')
    await expect(main.getByLabel('Time zone')).toHaveValue('Asia/Tokyo')
    await expect(main.getByLabel('Address')).toHaveValue('https://books.example')
    await main.getByRole('button', { name: 'Save' }).click()
    await expect(main.getByRole('alert')).toBeHidden()
    await page.reload()
    await expect(main.getByLabel('Time zone')).toHaveValue('Asia/Tokyo')
    await expect(main.getByLabel('Address')).toHaveValue('https://books.example')
    // The pages that are cached name the new address.
    const home = await (await fetch(shop.url)).text()
    expect(home).toContain('<link rel="canonical" href="https://books.example/"')
    refusals(complaints)
  })
})

test.describe('in a shop that has sold nothing', () => {
  test.use({ shopName: 'a shop that has sold nothing' })

  test.describe.configure({ mode: 'serial' })

  // First: after a minute the shop makes a backup by itself.
  test('an admin backs up, rehearses a restore, and reads what was done', async ({ page, shop }) => {
    await enterAdmin(page, shop, '/admin/backups')
    const main = page.getByRole('main')
    const [backUp, rehearse] = ['Back up now', 'Rehearse a restore'].map((name) =>
      main.getByRole('button', { name }),
    )
    await expect(main.getByText('There is no backup yet')).toBeVisible()
    await expect(rehearse!).toBeDisabled()

    await backUp!.click()
    await expect(main.getByText(/^Backed up on .+: \d+ orders?, \d+ files\.$/)).toBeVisible()
    await expect(main.getByText('This is the same disk', { exact: false })).toBeVisible()
    await rehearse!.click()
    await expect(
      main.getByText(/^Rehearsed from .+ on .+ rows and totals match, files are intact/),
    ).toBeVisible()
    await expect(main.getByRole('listitem').filter({ hasText: 'Rehearsal' })).toContainText('done')
  })

  test('an admin chooses the currency until the first sale; the page then says why it stays', async ({
    page,
    shop,
  }) => {
    await enterAdmin(page, shop, '/admin/settings')
    const main = page.getByRole('main')
    const currency = main.getByLabel('Currency')
    await currency.selectOption('Euro (EUR)')
    const loaded = page.waitForEvent('load')
    await main.getByRole('button', { name: 'Save' }).click()
    await loaded
    await expect(currency).toHaveValue('eur')
    await page.getByRole('link', { name: 'Products', exact: true }).click()
    await expect(main.getByText('€14.99', { exact: false })).toBeVisible()
    await page.goto('/')
    await expect(page.getByText('Save €30')).toBeVisible()
    await expect(page.locator('#book-sales')).not.toContainText('$')
    expect(await (await page.request.get('/')).text()).toContain('"priceCurrency":"EUR"')

    await buy(shop, await signIn(shop, { email: await makeUser(shop), password }), 'digital')
    await page.goto('/admin/settings')
    // A test order of the sample; then as if it had been bought for money.
    await expect(currency).toBeEnabled()
    await using database = openDatabase(shop.databaseUrl, { max: 1 })
    await database.pool.query('update purchases set is_test = false')
    await page.goto('/admin/settings')
    await expect(currency).toBeDisabled()
    await expect(currency).toHaveValue('eur')
    await expect(currency).toHaveAccessibleDescription(/has sold in it, so it cannot be changed/)
  })
})

test.describe('in a shop that gets its keys', () => {
  test.use({ shopName: 'a shop that gets its keys of Stripe' })

  test.describe.configure({ mode: 'serial' })

  test('an admin pastes a key, buys a test copy, refunds it, and is told what the live key needs', async ({
    page,
    shop,
    stripe,
    complaints,
  }) => {
    // Its own endpoint is to be told, and this shop is on this machine.
    stripe.setWebhookUrl(undefined)
    stripe.reach.isLocal = true
    stripe.addKey('sk_live_x')
    await enterAdmin(page, shop, '/admin/settings/payments')
    const main = page.getByRole('main')
    const key = main.getByLabel('Secret key', { exact: true })
    const connect = main.getByRole('button', { name: 'Check and connect' })
    await expect(main.getByText('The shop takes no money', { exact: false })).toBeVisible()

    await expect(main.getByRole('button', { name: 'Show the key' })).toBeVisible()
    await key.fill('pk_test_x')
    await connect.click()
    await expect(key).toBeFocused()
    await expect(key).toHaveAccessibleDescription(/publishable key/)
    await key.fill('sk_test_wrong')
    await connect.click()
    await expect(key).toHaveAccessibleDescription(/Stripe does not accept this key/)
    await expect(key).toHaveValue('sk_test_wrong')
    await key.fill('sk_test_x')
    await connect.click()
    await expect(page.getByText('Stripe connected')).toBeVisible()
    await expect(key).toHaveValue('')
    await expect(
      main.getByText('Stripe tells the shop of each payment at once', { exact: false }),
    ).toBeVisible()
    await expect(main.getByText('Buy your own book')).toBeVisible()

    await beginCheckout(page)
    await payHere(page, { webhook: 'before the redirect' })
    await page.waitForURL('**/dashboard**')
    await page.goto('/admin/settings/payments')
    await expect(main.getByText('The shop has seen the payment of #1001.')).toBeVisible()
    const [intent] = stripe.intents.keys()
    const refund = stripe.refund(intent!)
    await stripe.sendEvent('refund.created', refund)
    await expect(main.getByText('The shop has seen the refund of #1001.')).toBeVisible()

    await key.fill('sk_live_x')
    await connect.click()
    await expect(key).toHaveAccessibleDescription(/over https only/)
    await page.goto('/admin/purchases')
    await expect(main.getByText('#1001').first()).toBeVisible()
    await expect(main.getByText('test', { exact: true })).toHaveCount(0)
    refusals(complaints)

    // The shop moves, and what Stripe knows of it does not. It can be told of an address that it reaches.
    const headers = { authorization: `Bearer ${(await storedSession(page)).access_token}` }
    const move = async (revision: number, site_url: string) => {
      const data = { revision, values: { site_url } }
      expect((await page.request.put('/api/admin/settings/shop', { headers, data })).status()).toBe(200)
    }
    const local = shop.url.replace('localhost', 'books.localhost')
    await move(0, local)
    await page.goto('/admin/payments')
    await expect(main.getByText('Stripe still reports to the shop’s former address')).toBeVisible()
    await main.getByRole('link', { name: 'Set up payments' }).click()
    await expect(main.getByRole('alert')).toContainText(shop.url)
    await expect(main.getByRole('note')).toContainText(`Stripe cannot report to ${local}`)
    await expect(main.getByRole('button', { name: 'Let Stripe report' })).toHaveCount(0)
    await move(1, 'https://books.example')
    await page.reload()
    await main.getByRole('button', { name: 'Let Stripe report to the current address' }).click()
    await expect(page.getByText('Stripe reports payments to the current address now.')).toBeVisible()
    await expect(main.getByRole('alert')).toHaveCount(0)
    expect(stripe.endpoints.map(({ url }) => url)).toEqual(['https://books.example/api/stripe/webhook'])
  })

  test('a key that is typed and not sent is not connected by the proof for removing the present one', async ({
    page,
    shop,
    stripe,
    complaints,
  }) => {
    stripe.addKey('sk_test_other', { id: 'acct_other', name: 'Another' })
    await enterAdmin(page, shop, '/admin/settings/payments')
    const main = page.getByRole('main')
    const key = main.getByLabel('Secret key', { exact: true })
    await key.fill('sk_test_x')
    await main.getByRole('button', { name: 'Check and connect' }).click()
    await expect(page.getByText('Stripe connected')).toBeVisible()
    await using database = openDatabase(shop.databaseUrl, { max: 1 })
    await age(database, 'auth.sessions.proved_at', '11 minutes')
    await key.fill('sk_test_other')
    await main.getByRole('button', { name: 'Remove the key' }).click()
    const confirm = page.getByRole('dialog', { name: 'Take no more payments?' })
    await confirm.getByRole('button', { name: 'Remove the key' }).click()
    const proof = page.getByRole('dialog', { name: 'Confirm it’s you' })
    await proof.getByLabel('Your password').fill(admin.password)
    await proof.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Key removed')).toBeVisible()
    await expect(main.getByText('The shop takes no money', { exact: false })).toBeVisible()
    await expect(key).toHaveValue('sk_test_other')

    // Stored anew, and sealed with a secret that is gone.
    await database.pool.query('update auth.sessions set proved_at = now()')
    await main.getByRole('button', { name: 'Check and connect' }).click()
    await expect(main.getByText('Test payments go to Another', { exact: false })).toBeVisible()
    await database.pool.query(`update auth.setting_secrets set sealed = '\\x00'`)
    await database.pool.query(`select pg_notify('settings', '')`)
    await expect(async () => {
      await page.reload()
      await expect(main.getByRole('alert')).toContainText('nobody can buy', { timeout: 2_000 })
    }).toPass()
    await expect(main.getByText('Test payments go', { exact: false })).toBeHidden()
    await expect(main.getByText('Buy your own book')).toBeHidden()
    refusals(complaints)
  })
})

/** By the bar that saves: no field that the keyboard reaches. */
async function expectUncovered(main: Locator): Promise<void> {
  for (const name of ['Buyers need no account', 'Admins need a second factor']) {
    await main.getByLabel(name).focus()
    const field = await main.getByLabel(name).boundingBox()
    const bar = await main.locator('[data-save-bar]').boundingBox()
    expect(field!.y + field!.height).toBeLessThan(bar!.y)
  }
}
