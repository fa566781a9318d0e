// Getting an account and getting into it: refusals and their words, mailed links and codes, a forgotten password.
import type { Locator, Page } from '@playwright/test'
import { codeIn, linkIn } from '#test/auth-client.ts'
import { deviceIdKey } from '#web/session/device-id.ts'
import { part } from './part.ts'
import { refuseStorage } from './guests.ts'
import { mailTo } from './mailing.ts'
import { admin, expect, refusals, test, watch } from './shop.ts'
import { expectToast } from './toast.ts'
import { fillSignUp, linksTo, makeUser, password, signUp, someone } from './users.ts'

const signInForm = (page: Page) => page.getByRole('tabpanel', { name: 'Sign In' })

const signUpForm = (page: Page) => page.getByRole('tabpanel', { name: 'Sign Up' })

test('the forms of the sign-in say what is wrong, stay in place, and keep what was typed @commit', async ({
  page,
  shop,
  complaints,
}) => {
  await part(
    page,
    'what is wrong with a sign-up or a sign-in is said in the exact words, and nothing typed is lost',
    async () => {
      await page.goto('/auth')
      await page.getByRole('tab', { name: 'Sign Up' }).click()
      const form = page.getByRole('tabpanel', { name: 'Sign Up' })
      const secret = form.getByLabel('Password', { exact: true })
      await form.getByLabel('Email').fill(someone())
      await secret.fill('nine good words')
      await form.getByLabel('Confirm Password').fill('nine bad words')
      await form.getByRole('button', { name: 'Sign Up' }).click()
      await expectToast(page, 'Password Mismatch', 'Passwords do not match.')
      await expect(form.getByLabel('Confirm Password')).toHaveAccessibleDescription('Passwords do not match.')

      await secret.fill('nines')
      await form.getByLabel('Confirm Password').fill('nines')
      await form.getByRole('button', { name: 'Sign Up' }).click()
      await expectToast(page, 'Password Too Short', 'Password must be at least 6 characters long.')
      await expect(secret).toHaveValue('nines')
      await expect(secret).toBeFocused()

      await form.getByLabel('Email').fill('nobody@nowhere')
      await secret.fill(password)
      await form.getByLabel('Confirm Password').fill(password)
      await form.getByRole('button', { name: 'Sign Up' }).click()
      await expectToast(page, 'Sign Up Failed', 'Please enter a valid email address.')
      await expect(form.getByLabel('Email')).toHaveAccessibleDescription(
        'Please enter a valid email address.',
      )
      await expect(form.getByLabel('Email')).toBeFocused()
      await expect(secret).toHaveAccessibleDescription('At least 6 characters')
      await expect(secret).not.toHaveAttribute('aria-invalid')

      await form.getByRole('button', { name: 'Show password' }).first().click()
      await expect(secret).toHaveAttribute('type', 'text')
      await form.getByRole('button', { name: 'Hide password' }).click()
      await expect(secret).toHaveAttribute('type', 'password')

      const email = await makeUser(shop)
      await page.getByRole('tab', { name: 'Sign In' }).click()
      const signIn = await fillSignIn(page, email, 'not the password')
      await signIn.press('Enter')
      await expectToast(page, 'Sign In Failed', 'Invalid login credentials')
      await expect(page.getByRole('tabpanel', { name: 'Sign In' }).getByLabel('Email')).toHaveValue(email)
      await expect(signIn).toBeFocused()
      await expect(signIn).toHaveAccessibleDescription('Invalid login credentials')
      expect(refusals(complaints)).toHaveLength(1)

      for (const { path, name, busy, failed } of [
        { path: 'token', name: 'Sign In', busy: 'Signing In...', failed: 'Sign In Failed' },
        { path: 'signup', name: 'Sign Up', busy: 'Creating Account...', failed: 'Sign Up Failed' },
      ]) {
        const held = Promise.withResolvers<void>()
        await page.route(`**/auth/v1/${path}*`, async (route) => {
          await held.promise
          await route.abort()
        })
        await page.goto('/auth')
        await page.getByRole('tab', { name }).click()
        const form = page.getByRole('tabpanel', { name })
        await form.getByLabel('Email').fill(someone())
        for (const field of await form.locator('[type=password]').all()) await field.fill(password)
        await form.getByRole('button', { name, exact: true }).click()
        await expect(form.getByRole('button', { name: busy, exact: true })).toBeDisabled()
        await expect(form.getByRole('button', { name, exact: true })).toHaveCount(0)
        held.resolve()
        await expectToast(page, failed, 'An unexpected error occurred.')
        await expect(form.getByRole('button', { name, exact: true })).toBeEnabled()
      }
      expect(refusals(complaints)).toHaveLength(2)
    },
  )

  await part(
    page,
    'between the forms, and with what is wrong, nothing moves, on a phone and on a desktop',
    async () => {
      for (const viewport of [
        { width: 390, height: 844 },
        { width: 1360, height: 900 },
      ]) {
        await page.setViewportSize(viewport)
        await page.goto('/auth?form=sign-in')
        const card = page.locator('main section')
        const still = await placeOf(card)
        const expectStill = async () => expect(await placeOf(card)).toEqual(still)
        const button = signInForm(page).getByRole('button', { name: 'Sign In' })
        const buttonPlace = await placeOf(button)
        await signInForm(page).getByLabel('Email').fill('nobody@example.com')
        await signInForm(page).getByLabel('Password', { exact: true }).fill('not the password')
        await button.click()
        await expect(signInForm(page).getByText('Invalid login credentials')).toBeVisible()
        await expectStill()
        expect(await placeOf(button)).toEqual(buttonPlace)

        await page.getByRole('tab', { name: 'Sign Up' }).click()
        await expectStill()
        await signUpForm(page).getByLabel('Password', { exact: true }).fill('nine')
        await signUpForm(page).getByLabel('Confirm Password').fill('nine')
        await signUpForm(page).getByRole('button', { name: 'Sign Up' }).click()
        await expect(signUpForm(page).getByText('Password must be at least 6 characters long.')).toBeVisible()
        await expectStill()
        await page.getByRole('tab', { name: 'Sign In' }).click()
        await page.getByRole('button', { name: 'Forgot password?' }).click()
        await expectStill()
        await page.reload()
        await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
        await expectStill()
        expect(refusals(complaints)).toHaveLength(1)
      }
    },
  )

  await part(
    page,
    'the first field has the focus, the address goes along, and a reload shows the same form',
    async () => {
      await page.goto('/auth?next=/dashboard')
      await expect(signInForm(page).getByLabel('Email')).toBeFocused()
      await page.keyboard.type('ruth@example.com')
      await page.getByRole('tab', { name: 'Sign Up' }).click()
      await expect(signUpForm(page).getByLabel('Email')).toHaveValue('ruth@example.com')
      await expect(signUpForm(page).getByLabel('Password', { exact: true })).toHaveAccessibleDescription(
        'At least 6 characters',
      )
      await signUpForm(page).getByLabel('Password', { exact: true }).fill(password)
      await page.reload()
      await expect(signUpForm(page).getByLabel('Email')).toHaveValue('ruth@example.com')
      await expect(signUpForm(page).getByLabel('Password', { exact: true })).toHaveValue('')
      await expect(signUpForm(page).getByLabel('Password', { exact: true })).toBeFocused()
      expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain(password)
      await page.getByRole('tab', { name: 'Sign In' }).click()
      await page.getByRole('button', { name: 'Forgot password?' }).click()
      const forgotten = page.getByRole('form', { name: 'Forgot your password?' }).getByLabel('Email')
      await expect(forgotten).toBeFocused()
      await expect(forgotten).toHaveValue('ruth@example.com')
      await page.reload()
      await expect(forgotten).toHaveValue('ruth@example.com')
      await page.getByRole('button', { name: 'Back to Sign In' }).click()

      const email = await makeUser(shop)
      await signInForm(page).getByLabel('Email').fill(email)
      await signInForm(page).getByLabel('Password', { exact: true }).fill(password)
      await signInForm(page).getByRole('button', { name: 'Sign In' }).click()
      await expect(page).toHaveURL(`${shop.url}/dashboard`)
      await page.getByRole('button', { name: 'Sign Out' }).click()
      await expect(page.getByText('Signed Out', { exact: true })).toBeVisible()
      // Its document is there: a visit of the next address would break it off.
      await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
      await page.goto('/auth')
      await expect(signInForm(page).getByLabel('Email')).toHaveValue('')
    },
  )

  await part(
    page,
    'after the sign-up a reload still says to which address the mail went, and "Back to Sign In" leads there',
    async () => {
      const email = someone()
      await page.goto('/auth?form=sign-up')
      await fillSignUp(page, email)
      await expect(page.getByText(email)).toBeVisible()
      await page.reload()
      await expect(page.getByRole('heading', { name: 'Your account is not confirmed yet' })).toBeVisible()
      await expect(page.getByText(email)).toBeVisible()
      await page.getByRole('button', { name: 'Back to Sign In' }).click()
      await expect(page.getByRole('tabpanel', { name: 'Sign In' })).toBeVisible()
      await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
    },
  )

  await part(page, 'a browser that keeps no sign-in says so', async () => {
    const email = await makeUser(shop)
    await refuseStorage(page)
    await page.goto('/auth')
    await (await fillSignIn(page, email, password)).press('Enter')
    await expect(page.getByText(/This browser keeps no sign-in/)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Sign In', exact: true }).last()).toBeEnabled()
  })
})

/** On the page: a notice may scroll it, so that it covers no control that has the focus. */
const placeOf = (element: Locator) =>
  element.evaluate((node) => {
    const { x, y, width, height } = node.getBoundingClientRect()
    return { x, y: y + scrollY, width, height }
  })

test('links of emails confirm an address and replace a password @commit', async ({
  page,
  shop,
  complaints,
}) => {
  await part(
    page,
    'a sign-in before the address is confirmed says so; the link that it mails again acts on the press, not on the visit, and once',
    async () => {
      const email = `with-a-name-that-nothing-breaks-${someone()}`
      await signUp(shop, email)
      await linksTo(shop, email, /confirm/i)
      await page.goto('/auth')
      await (await fillSignIn(page, email, password)).press('Enter')
      await expect(page.getByText('Your email address is not confirmed yet.')).toBeVisible()
      const [card, field] = [page.locator('main section'), page.getByRole('textbox', { name: 'Email' })]
      expect((await field.boundingBox())!.width).toBeLessThan((await card.boundingBox())!.width)
      await page.getByRole('button', { name: 'Write the email again' }).click()
      await expect(page.getByText('Written: the author has it')).toBeVisible()

      const [, link] = await linksTo(shop, email, /confirm/i, 2)
      await page.request.head(link!)
      await page.request.get(link!)
      await page.goto(link!)
      await page.getByRole('button', { name: 'Not now' }).click()
      await expect(page).toHaveURL(`${shop.url}/`)
      await page.goto(link!)
      await page.getByRole('button', { name: 'Confirm my email and sign in' }).click()
      await expect(page.getByText('Your email address is confirmed and you are signed in.')).toBeVisible()
      await expect(page).toHaveURL(`${shop.url}/`)
      await expect(page.getByRole('link', { name: 'Dashboard' })).toBeVisible()
      expect(refusals(complaints)).toHaveLength(1)

      await page.goto(link!)
      await page.getByRole('button', { name: 'Confirm my email and sign in' }).click()
      await expect(page.getByRole('dialog', { name: 'This link has expired' })).toBeVisible()
      expect(refusals(complaints)).toHaveLength(1)
    },
  )

  await part(
    page,
    'a forgotten password is replaced through the mailbox, and the old one is refused from then on',
    async () => {
      const email = await makeUser(shop)
      const fresh = 'nine better words'
      await page.goto('/auth')
      await page.getByRole('button', { name: 'Forgot password?' }).click()
      // The field of the sign-in form may not be hidden yet.
      const forgotten = page.getByRole('form', { name: 'Forgot your password?' })
      await forgotten.getByRole('textbox', { name: 'Email' }).fill(email)
      await page.getByRole('button', { name: 'Send the link' }).click()
      await expect(page.getByText(`If ${email} has an account`)).toBeVisible()

      const [link] = await linksTo(shop, email, /password/i)
      await page.goto(link!)
      await page.getByRole('button', { name: 'Choose a new password' }).click()
      const secret = page.getByRole('textbox', { name: 'New password' })
      await expect(secret).toBeVisible()
      await secret.fill(fresh)
      await page.getByRole('button', { name: 'Save and sign in' }).click()
      await expect(page.getByText('You are signed in with your new password.')).toBeVisible()
      await page.getByRole('button', { name: 'Sign Out' }).click()
      await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()

      await page.goto('/auth')
      await (await fillSignIn(page, email, password)).press('Enter')
      await expectToast(page, 'Sign In Failed', 'Invalid login credentials')
      expect(refusals(complaints)).toHaveLength(1)
      await (await fillSignIn(page, email, fresh)).press('Enter')
      await expectToast(page, 'Welcome back!', 'You have successfully signed in.')
      await expect(page).toHaveURL(`${shop.url}/`)
    },
  )
})

test.describe('with a mail server', () => {
  test.use({ sendsMail: true })
  test('mailed codes and links sign in, and let a sign-up go on', async ({
    page,
    shop,
    smtp,
    chrome,
    complaints,
  }) => {
    await part(
      page,
      'a mailed code signs in, after a wrong one; the email has a link that does, too',
      async () => {
        await page.setViewportSize({ width: 390, height: 844 })
        const email = await makeUser(shop)
        await page.goto('/auth?next=/dashboard')
        await page.getByRole('tabpanel', { name: 'Sign In' }).getByLabel('Email').fill(email)
        await page.getByRole('button', { name: 'Email me a code instead' }).click()
        const form = page.getByRole('region', { name: 'Sign in with a code' })
        // To the address that was typed already: one press is enough.
        const field = form.getByLabel('Code from the email')
        await expect(field).toBeFocused()
        const code = codeIn(await mailTo(smtp, email))
        // A phone loads the page again after a look into the mailbox.
        await page.reload()
        await expect(form).toContainText(email)
        await expect(field).toBeFocused()
        await field.fill(code === '000000' ? '000001' : '000000')
        await field.press('Enter')
        await expect(field).toHaveAccessibleDescription(/wrong, or too old/)
        await expect(form.getByRole('button', { name: 'Send it again' })).toBeEnabled()
        await field.fill(`${code.slice(0, 3)} ${code.slice(3)}`)
        await field.press('Enter')
        await expectToast(page, 'Welcome back!', 'You have successfully signed in.')
        await expect(page).toHaveURL(`${shop.url}/dashboard`)
        expect(refusals(complaints)).toHaveLength(1)

        // On a page that asks for nothing meanwhile.
        await page.goto('/preview')
        await page.evaluate(() => localStorage.clear())
        const other = await makeUser(shop)
        await page.goto('/auth?form=code')
        await form.getByLabel('Email').fill(other)
        await form.getByLabel('Email').press('Enter')
        const { pathname, token_hash, type } = linkIn(await mailTo(smtp, other))
        await page.goto(`${pathname}?token_hash=${token_hash}&type=${type}`)
        await page.getByRole('dialog', { name: 'Sign in' }).getByRole('button', { name: 'Sign in' }).click()
        await expectToast(page, 'Welcome!', 'Your email address is confirmed and you are signed in.')
      },
    )

    await part(page, 'a sign-up goes on in its window once its code is typed there', async () => {
      const email = someone()
      await page.goto('/auth?next=/dashboard')
      await fillSignUp(page, email)
      await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
      await page.getByLabel('Code from the email').fill(codeIn(await mailTo(smtp, email)))
      await page.getByRole('button', { name: 'Confirm' }).click()
      await expectToast(page, 'Welcome!', 'Your email address is confirmed and you are signed in.')
      await expect(page).toHaveURL(`${shop.url}/dashboard`)
    })

    await part(
      page,
      'a sign-up goes on in its window once its link was opened on another device',
      async () => {
        const email = someone()
        await page.goto('/auth?next=/dashboard')
        await fillSignUp(page, email)
        await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
        const mail = await mailTo(smtp, email)
        const { pathname, token_hash, type } = linkIn(mail)
        await using phone = await chrome.newContext({ baseURL: shop.url })
        const there = await phone.newPage()
        await there.goto(`${pathname}?token_hash=${token_hash}&type=${type}`)
        await there.getByRole('button', { name: 'Confirm my email and sign in' }).click()
        await expect(there.getByText('Your email address is confirmed and you are signed in.')).toBeVisible()
        await expect(page).toHaveURL(`${shop.url}/dashboard`, { timeout: 30_000 })
      },
    )
  })
})

test.describe('with limits and a mail server', () => {
  test.use({ shopName: 'a shop with limits that mails', settings: { RATE_LIMIT: 'on' }, sendsMail: true })

  test('who asks for a code or a new password while a link works is told when it was requested', async ({
    page,
    complaints,
  }) => {
    const email = someone()
    const askElsewhere = (path: string) => page.request.post(`/auth/v1${path}`, { data: { email } })
    const requested =
      /^An email was requested at \d\d:\d\d(?: on .+)?; its link works until .+ in any browser/
    for (const path of ['/otp', '/recover']) expect((await askElsewhere(path)).status()).toBe(200)
    await page.goto('/auth')
    await signInForm(page).getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Email me a code instead' }).click()
    const form = page.getByRole('region', { name: 'Sign in with a code' })
    await expect(form.getByText(requested)).toBeVisible()
    // A code that this browser has asked for before still opens here.
    await expect(form.getByLabel('Code from the email')).toBeVisible()
    await form.getByRole('button', { name: 'Back to Sign In' }).click()
    await page.getByRole('button', { name: 'Forgot password?' }).click()
    await page.getByRole('button', { name: 'Send the link' }).click()
    await expect(page.getByText(requested)).toBeVisible()
    refusals(complaints)
  })
})

test.describe('with limits', () => {
  test.use({ shopName: 'a shop with limits', settings: { RATE_LIMIT: 'on' } })

  test('the author’s own browser signs in while others are told to wait', async ({
    page,
    chrome,
    shop,
    complaints,
  }) => {
    await signInAsAuthor(page, admin.password)
    await expect(page.getByText('Welcome back!')).toBeVisible()
    await page.getByRole('button', { name: 'Sign Out' }).click()
    await expect(page.getByText('Signed Out')).toBeVisible()
    const id = await page.evaluate((key) => localStorage.getItem(key), deviceIdKey)
    expect(id).toMatch(/^[0-9a-f]{32}$/)

    const context = await chrome.newContext({ baseURL: shop.url })
    const stranger = await context.newPage()
    watch(stranger, complaints)
    await stranger.goto('/auth')
    const refused = await stranger.evaluate(async (email) => {
      const guess = (n: number) =>
        fetch('/auth/v1/token?grant_type=password', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ email, password: `guess ${n}` }),
        })
      const responses = await Promise.all(Array.from({ length: 12 }, (_guess, n) => guess(n)))
      return responses.filter(({ status }) => status === 429).length
    }, admin.email)
    expect(refused).toBe(2)
    await signInAsAuthor(stranger, admin.password)
    await expect(
      stranger.getByText(/^Too many attempts\. Please try again in \d minutes\.$/).first(),
    ).toBeVisible()
    await context.close()

    await signInAsAuthor(page, 'mistyped')
    await expect(page.getByText('Invalid login credentials').first()).toBeVisible()
    await signInAsAuthor(page, admin.password)
    await expect(page.getByText('Welcome back!')).toBeVisible()
    expect(await page.evaluate((key) => localStorage.getItem(key), deviceIdKey)).toBe(id)
    refusals(complaints)
  })
})

async function signInAsAuthor(page: Page, given: string) {
  await page.goto('/auth')
  const form = page.getByRole('tabpanel', { name: 'Sign In' })
  await form.getByLabel('Email').fill(admin.email)
  await form.getByLabel('Password', { exact: true }).fill(given)
  await form.getByRole('button', { name: 'Sign In' }).click()
}

/** Answers with the field that Enter sends the form from. */
async function fillSignIn(page: Page, email: string, secret: string): Promise<Locator> {
  const form = page.getByRole('tabpanel', { name: 'Sign In' })
  await form.getByLabel('Email').fill(email)
  const field = form.getByLabel('Password', { exact: true })
  await field.fill(secret)
  return field
}
