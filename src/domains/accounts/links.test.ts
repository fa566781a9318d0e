// How long mailed links work, and what else makes them stop.
import { afterAll, expect, test } from 'vitest'
import { linkIn, mailsTo, openBrowser, password, signedIn, someone } from '#test/auth-client.ts'
import { openTestShop } from '#test/shop.ts'
import { clock, time } from '#test/time.ts'

const hour = 3_600_000
const shop = await openTestShop({ clock, isEmpty: true, env: { RATE_LIMIT: 'off' } })
afterAll(() => shop[Symbol.asyncDispose]())

type Link = ReturnType<typeof linkIn>

async function press({ token_hash, type }: Link) {
  const response = await shop.call('POST', '/auth/v1/verify', { body: { token_hash, type } })
  return response.ok ? 'in' : ((await response.json()) as { code: string }).code
}

/** Two links of each kind; the old mailbox has confirmed the new address. */
async function links() {
  const { auth } = await openBrowser(shop.url)
  const email = someone()
  await auth.signUp({ email, password })
  await mailsTo(shop, email, 1)
  await auth.resend({ type: 'signup', email })
  const person = await signedIn(shop)
  const new_email = someone()
  for (const n of [1, 2]) {
    await auth.resetPasswordForEmail(person.email)
    if (n === 1) await person.auth.updateUser({ email: new_email })
    else await person.auth.resend({ type: 'email_change', email: person.email })
    // The link, and the one of the changed address.
    await mailsTo(shop, person.email, 2 * n)
    await mailsTo(shop, new_email, n)
  }
  const linksTo = async (address: string, type: Link['type']) =>
    (await mailsTo(shop, address, 2)).map(linkIn).filter((link) => link.type === type) as [Link, Link]
  const [current] = await linksTo(person.email, 'email_change')
  await person.auth.verifyOtp(current)
  return {
    ...person,
    signup: await linksTo(email, 'signup'),
    recovery: await linksTo(person.email, 'recovery'),
    email_change: await linksTo(new_email, 'email_change'),
  }
}

test('a link to confirm works a day, one to reset an hour', async () => {
  const { signup, recovery, email_change } = await links()
  for (const [link, lifetime] of [
    [recovery[0], hour],
    [signup[0], 24 * hour],
    [email_change[0], 24 * hour],
  ] as const) {
    time.ahead = lifetime + 1_000
    expect(await press(link)).toBe('otp_expired')
    time.ahead = lifetime - 60_000
    expect(await press(link)).toBe('in')
  }
})

test('one link pressed, the others of its kind stop working', async () => {
  const { signup, recovery, email_change } = await links()
  for (const [first, second] of [signup, recovery, email_change]) {
    expect(await press(second)).toBe('in')
    expect(await press(first)).toBe('otp_expired')
  }
})

test('a new address makes links sent to the old one stop', async () => {
  const { recovery, email_change } = await links()
  expect(await press(email_change[0])).toBe('in')
  expect(await press(recovery[0])).toBe('otp_expired')
})

test('a new password makes every link of the account stop', async () => {
  const { auth, recovery, email_change } = await links()
  expect((await auth.updateUser({ password: 'a new and better one' })).error).toBeNull()
  expect(await press(recovery[0])).toBe('otp_expired')
  expect(await press(email_change[0])).toBe('otp_expired')
})
