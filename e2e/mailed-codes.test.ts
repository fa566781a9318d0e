// Signing in and confirming a sign-up by the six digits of an email, in a shop that sends emails.
import { codeIn, linkIn } from '#test/auth-client.ts'
import { expectAccessible } from './accessible.ts'
import { mailTo, test } from './mailing.ts'
import { expect, refusals } from './shop.ts'
import { expectToast } from './toast.ts'
import { fillSignUp, makeUser, someone } from './users.ts'

test.use({ shopName: 'the shop that mails codes' })

for (const viewport of [
  { width: 390, height: 844 },
  { width: 1360, height: 900 },
])
  test(`${viewport.width} px wide, a mailed code signs in, after a wrong one`, async ({
    page,
    shop,
    smtp,
    complaints,
  }) => {
    await page.setViewportSize(viewport)
    const email = await makeUser(shop)
    await page.goto('/auth?next=/dashboard')
    await page.getByRole('tabpanel', { name: 'Sign In' }).getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Email me a code instead' }).click()
    const form = page.getByRole('region', { name: 'Sign in with a code' })
    await expect(form.getByLabel('Email')).toHaveValue(email)
    await form.getByRole('button', { name: 'Send the code' }).click()
    const field = form.getByLabel('Code from the email')
    await expect(field).toBeFocused()
    await expectAccessible(page)
    const code = codeIn(await mailTo(smtp, email))
    await field.fill(code === '000000' ? '000001' : '000000')
    await field.press('Enter')
    await expect(field).toHaveAccessibleDescription(/wrong, or too old/)
    await field.fill(`${code.slice(0, 3)} ${code.slice(3)}`)
    await field.press('Enter')
    await expectToast(page, 'Welcome back!', 'You have successfully signed in.')
    await expect(page).toHaveURL(`${shop.url}/dashboard`)
    expect(refusals(complaints)).toHaveLength(1)
  })

test('a sign-up goes on in its window once its code is typed there', async ({ page, shop, smtp }) => {
  const email = someone()
  await page.goto('/auth?next=/dashboard')
  await fillSignUp(page, email)
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Code from the email').fill(codeIn(await mailTo(smtp, email)))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expectToast(page, 'Welcome!', 'Your email address is confirmed and you are signed in.')
  await expect(page).toHaveURL(`${shop.url}/dashboard`)
})

test('a sign-up goes on in its window once its link was opened on another device', async ({
  page,
  shop,
  smtp,
  chrome,
  complaints,
}) => {
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
  // The browser complains of each sign-in before the link was opened.
  refusals(complaints)
})

test('the link of a sign-in email signs in without the code', async ({ page, shop, smtp }) => {
  const email = await makeUser(shop)
  await page.goto('/auth')
  await page.getByRole('button', { name: 'Email me a code instead' }).click()
  const form = page.getByRole('region', { name: 'Sign in with a code' })
  await form.getByLabel('Email').fill(email)
  await form.getByLabel('Email').press('Enter')
  const { pathname, token_hash, type } = linkIn(await mailTo(smtp, email))
  await page.goto(`${pathname}?token_hash=${token_hash}&type=${type}`)
  await page.getByRole('dialog', { name: 'Sign in' }).getByRole('button', { name: 'Sign in' }).click()
  await expectToast(page, 'Welcome!', 'Your email address is confirmed and you are signed in.')
})
