// What readers see who are signed in: the dashboard, the account, and the second steps of signing in.
import { testScreenStates } from './screen-states.ts'
import {
  addAuthenticator,
  enrol,
  givePassword,
  loseAuthenticator,
  makeUserWithFactor,
  prove,
} from './factors.ts'
import { expect, visitHydrated } from './shop.ts'
import { buy, enter, fillAddress, linksTo, makeUser, password, post, signIn, someone } from './users.ts'

testScreenStates('readers who are signed in @commit', {
  'the dashboard': async function* ({ page, shop }) {
    const session = await enter(page, shop, await makeUser(shop))
    await page.goto('/dashboard')
    await expect(page.getByText('No purchases yet')).toBeVisible()
    yield 'empty'
    for (const format of ['digital', 'paperback', 'bundle']) await buy(shop, session, format)
    await page.reload()
    await expect(page.getByRole('listitem')).toHaveCount(3)
    await expect(page.getByText('We need your address').first()).toBeVisible()
    yield 'with three purchases, two without an address'
    await page.getByText('How to read it').first().click()
    await expect(page.getByText('upload it at Send to Kindle').first()).toBeVisible()
    yield 'with the advice how to read it'
    await page
      .getByRole('link', { name: /^Receipt for/ })
      .first()
      .click()
    await expect(page.getByRole('heading', { name: 'Receipt' })).toBeVisible()
    yield 'a receipt'
  },
})

testScreenStates('readers who correct, secure or erase their account', {
  'the dashboard that loads, and that failed to': async function* ({ page, shop }) {
    await enter(page, shop, await makeUser(shop))
    const held = Promise.withResolvers<void>()
    await page.route('**/api/purchases', async (route) => {
      await held.promise
      await route.abort()
    })
    await page.goto('/')
    await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
    await expect(page.getByText('Loading your purchases...')).toBeAttached()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    yield 'loading'
    held.resolve()
    await expect(page.getByRole('heading', { name: 'Your purchases could not be loaded' })).toBeVisible()
    yield 'failed'
  },

  'a list of purchases with more of them': async function* ({ page, shop }) {
    await buy(shop, await enter(page, shop, await makeUser(shop)), 'digital')
    await page.route(/\/api\/purchases(\?.*)?$/, async (route) => {
      const isMore = new URL(route.request().url()).searchParams.has('after')
      const list = (await (await route.fetch({ url: `${shop.url}/api/purchases` })).json()) as {
        items: object[]
      }
      const items = Array.from({ length: 10 }, (_, n) => ({ ...list.items[0], id: `${isMore}${n}` }))
      const totals = { purchases: 20, digital: 20 }
      await route.fulfill({ json: { items, next: isMore ? null : '10', totals } })
    })
    await page.goto('/dashboard')
    await page.getByRole('button', { name: 'Show more' }).click()
    await expect(page.getByRole('list', { name: 'Earlier purchases' })).toBeFocused()
    yield 'shown'
  },

  'right after a purchase': async function* ({ page, shop }) {
    await enter(page, shop, await makeUser(shop))
    for (const format of ['Digital', 'Paperback']) {
      await page.goto('/')
      await page.getByRole('button', { name: `Buy ${format}` }).click()
      await page.waitForURL('**/dashboard')
      await expect(page.getByRole('region', { name: /^Thank you for buying/ })).toBeVisible()
      if (format === 'Paperback') await expect(page.getByRole('dialog').getByLabel('Full name')).toBeFocused()
      yield format === 'Paperback' ? 'the address of a paperback' : 'the greeting of an ebook'
    }
  },

  'an address that is corrected, or left half typed': async function* ({ page, shop }) {
    const session = await enter(page, shop, await makeUser(shop))
    await buy(shop, session, 'paperback')
    await page.goto('/account')
    await page.getByRole('link', { name: 'Dashboard' }).click()
    const opener = page.getByRole('button', { name: /^(Add|Correct) address/ })
    await opener.click()
    const form = page.getByRole('dialog', { name: 'Where shall we send it?' })
    await form.getByLabel('Full name').fill('Ruth of Moab')
    await page.goBack()
    const leave = page.getByRole('dialog', { name: 'Leave without saving?' })
    await expect(leave).toBeVisible()
    yield 'leave without saving?'
    await leave.getByRole('button', { name: 'Stay on this page' }).click()
    await form.getByRole('button', { name: 'Cancel' }).click()
    const question = page.getByRole('dialog', { name: 'Discard what you typed?' })
    await expect(question).toBeVisible()
    yield 'discard what you typed?'
    await question.getByRole('button', { name: 'Keep editing' }).click()
    await fillAddress(page, 'Ruth of Moab')
    await form.getByRole('button', { name: 'Save this address' }).click()
    await expect(form).toBeHidden()
    await opener.click()
    await expect(page.getByRole('dialog').getByLabel('Full name')).toHaveValue('Ruth of Moab')
    yield 'correct the address'
  },

  'the account': async function* ({ page, shop }) {
    const email = await makeUser(shop)
    for (let times = 0; times < 3; times += 1) await signIn(shop, { email, password })
    await buy(shop, await enter(page, shop, email), 'paperback')
    await page.goto('/account')
    await expect(page.getByRole('button', { name: /^Sign out:/ })).toHaveCount(3)
    yield 'signed in four times'
    await page.getByRole('button', { name: 'Erase my account' }).click()
    const question = page.getByRole('dialog', { name: 'Erase your account?' })
    yield 'erase your account?'
    await question.getByRole('button', { name: 'Erase my account' }).click()
    await expect(page.getByText(/^Your account will be erased on /)).toBeVisible()
    yield 'to be erased'
    await page.getByRole('link', { name: 'Back to Dashboard' }).click()
    await expect(page.getByRole('alert').filter({ hasText: 'Your account will be erased on' })).toBeVisible()
    yield 'the dashboard of an account that is to be erased'
    await page.goto('/account/data')
    await expect(page.getByRole('heading', { name: 'Emails to you' })).toBeVisible()
    yield 'one’s own data'
    await page.goto('/account')
    const part = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Your password' }) })
    await part.getByLabel('New password').fill('nine')
    await part.getByRole('button', { name: 'Save the password' }).click()
    await expect(part.getByLabel('New password')).toHaveAccessibleDescription(/at least 6 characters/)
    yield 'a password that is too short'
  },

  'another address of the account': async function* ({ page, shop, chrome }) {
    const old = await makeUser(shop)
    await enter(page, shop, old)
    await page.goto('/account')
    const part = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Your email address' }) })
    await part.getByRole('button', { name: 'Change the address' }).click()
    const field = part.getByLabel('New email address')
    await field.fill(old)
    await part.getByRole('button', { name: 'Send the link' }).click()
    await expect(field).toHaveAccessibleDescription(/your address already/)
    yield 'the present one'
    const to = someone()
    await field.fill(to)
    await part.getByRole('button', { name: 'Send the link' }).click()
    await expect(part.getByText(`A link for ${to} is written`)).toBeVisible()
    yield 'waiting for both mailboxes'
    await using stranger = await chrome.newContext({ baseURL: shop.url, reducedMotion: 'reduce' })
    const there = visitHydrated(await stranger.newPage())
    await there.goto((await linksTo(shop, to, /confirm your new/))[0]!)
    await expect(there.getByText('This is not the browser in which')).toBeVisible()
    yield ['the link in another browser', there]
    await page.goto((await linksTo(shop, old, /is to change/))[0]!)
    await page.getByRole('button', { name: 'Confirm the change' }).click()
    await expect(page.getByRole('heading', { name: 'One mailbox is missing' })).toBeVisible()
    yield 'one mailbox is missing'
  },

  'a passkey': async function* ({ page, shop }) {
    const email = await makeUser(shop)
    await enter(page, shop, email)
    const { client, authenticatorId } = await addAuthenticator(page)
    await page.goto('/account')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
    await dialog.getByLabel('Name').fill('Laptop')
    await dialog.getByRole('button', { name: 'Add a passkey' }).click()
    const shown = page.getByRole('dialog', { name: 'Your recovery codes' })
    await expect(shown.getByRole('listitem')).toHaveCount(10)
    yield 'the recovery codes'
    await shown.getByRole('button', { name: 'I have saved them' }).click()
    await expect(page.getByText('10 codes are left.')).toBeVisible()
    yield 'the account with it'
    await page.getByRole('button', { name: 'Remove Laptop' }).click()
    await expect(page.getByRole('dialog', { name: 'Remove this passkey?' })).toBeVisible()
    yield 'remove this passkey?'
    await page.evaluate(() => localStorage.clear())
    await page.goto('/auth')
    await givePassword(page, email)
    await expect(page.getByRole('heading', { name: 'Confirm it’s you' })).toBeVisible()
    yield 'confirm it’s you'
    await loseAuthenticator(client, authenticatorId)
  },

  'an authenticator app': async function* ({ page, shop }) {
    const { email, factor, proven } = await makeUserWithFactor(shop)
    const strong = await prove(shop, proven, factor, 0)
    await prove(shop, strong, await enrol(shop, strong, 'Tablet'))
    await page.goto('/auth')
    await givePassword(page, email)
    await expect(page.getByLabel('Six-digit code')).toBeFocused()
    yield 'its code, with two apps'
    const single = await makeUserWithFactor(shop)
    await post(shop, '/auth/v1/factors/recovery-codes', {}, single.proven.access_token)
    await page.evaluate(() => localStorage.clear())
    await page.goto('/auth')
    await givePassword(page, single.email)
    await expect(page.getByLabel('Six-digit code')).toBeFocused()
    yield 'its code'
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await expect(page.getByLabel('Recovery code')).toBeFocused()
    yield 'a recovery code'
    await post(shop, '/auth/v1/recover', { email: single.email })
    await page.goto((await linksTo(shop, single.email, /choose a new password/i))[0]!)
    await page.getByRole('button', { name: 'Choose a new password' }).click()
    await expect(page.getByRole('dialog', { name: 'Enter your code' })).toBeVisible()
    yield 'its code before a new password'
    await enter(page, shop, await makeUser(shop))
    await page.goto('/account')
    await page.getByRole('button', { name: 'Add an authenticator app' }).click()
    await expect(page.getByRole('img', { name: 'QR code for the app' })).toBeVisible()
    yield 'setting it up'
  },
})
