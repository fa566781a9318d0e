// What the browser relies on: every flow of an account, driven by the real auth-js over HTTP.
import { afterAll, expect, test } from 'vitest'
import { linkIn, mailsTo, openBrowser, password, signedIn, someone } from '#test/auth-client.ts'
import { openTestShop } from '#test/shop.ts'

const shop = await openTestShop({ isEmpty: true, env: { RATE_LIMIT: 'off' } })
afterAll(() => shop[Symbol.asyncDispose]())

test('a sign-up gives no session; its mailed link gives one, once, and then the password signs in', async () => {
  const { auth, events, stored } = await openBrowser(shop.url)
  const email = someone()
  const data = { display_name: 'Ruth Gardener', newsletter: true }
  const signUp = await auth.signUp({ email: email.toUpperCase(), password, options: { data } })
  expect(signUp.error).toBeNull()
  expect(signUp.data).toMatchObject({
    session: null,
    user: { email, user_metadata: data, email_confirmed_at: null },
  })

  const [mail] = await mailsTo(shop, email, 1)
  const link = linkIn(mail!)
  expect(link).toMatchObject({ origin: shop.url, pathname: '/', type: 'signup', redirect_to: null })
  expect((await auth.verifyOtp({ type: 'recovery', token_hash: link.token_hash })).error?.code).toBe(
    'otp_expired',
  )
  const verified = await auth.verifyOtp(link)
  expect(verified.error).toBeNull()
  expect(verified.data.user).toMatchObject({ id: signUp.data.user!.id, email, user_metadata: data })
  expect(stored()).toMatchObject({ user: { email } })
  expect(events).toEqual(['INITIAL_SESSION', 'SIGNED_IN'])

  const again = await (await openBrowser(shop.url)).auth.verifyOtp(link)
  expect(again.error).toMatchObject({ status: 403, code: 'otp_expired' })
  expect((await auth.signInWithPassword({ email, password })).error).toBeNull()
})

test('a stored session has the fields of GoTrue, user and metadata included', async () => {
  const { stored, session, email } = await signedIn(shop)
  const fields = 'access_token expires_at expires_in refresh_token token_type user'
  expect(Object.keys(stored()!).toSorted().join(' ')).toBe(fields)
  expect(session).toMatchObject({ token_type: 'bearer', expires_in: 900, user: { email, factors: [] } })
  expect(session.user.identities).toHaveLength(1)
  expect(session.expires_at! - Date.now() / 1000).toBeGreaterThan(890)
})

test('before the verification the right password gets that reason, a wrong one does not, and the mail comes again', async () => {
  const { auth } = await openBrowser(shop.url)
  const email = someone()
  await auth.signUp({ email, password })
  await mailsTo(shop, email, 1)
  const right = await auth.signInWithPassword({ email, password })
  expect(right.error).toMatchObject({ status: 400, code: 'email_not_confirmed' })
  const wrong = await auth.signInWithPassword({ email, password: 'battery staple' })
  expect(wrong.error).toMatchObject({
    status: 400,
    code: 'invalid_credentials',
    message: 'Invalid login credentials',
  })

  const emailRedirectTo = `${shop.url}/dashboard?from=mail`
  expect((await auth.resend({ type: 'signup', email, options: { emailRedirectTo } })).error).toBeNull()
  const [, second] = await mailsTo(shop, email, 2)
  expect(linkIn(second!).redirect_to).toBe('/dashboard?from=mail')
  expect((await auth.verifyOtp(linkIn(second!))).error).toBeNull()
  expect((await auth.signInWithPassword({ email, password })).error).toBeNull()
})

test('a link leads back to this site only', async () => {
  const { auth } = await openBrowser(shop.url)
  const places = [
    'https://evil.example/',
    `${shop.url}//evil.example/`,
    'javascript:alert(1)',
    '//evil.example',
    '/\\evil.example',
  ]
  for (const emailRedirectTo of places) {
    const email = someone()
    await auth.signUp({ email, password, options: { emailRedirectTo } })
    const [mail] = await mailsTo(shop, email, 1)
    expect(linkIn(mail!)).toMatchObject({ origin: shop.url, pathname: '/', redirect_to: null })
  }
})

test('a reset mail opens a session in which the password is chosen anew, and every other session ends', async () => {
  const { email, auth: elsewhere } = await signedIn(shop)
  await elsewhere.updateUser({ data: { display_name: 'Naomi' } })
  const { auth, events } = await openBrowser(shop.url)
  expect((await auth.resetPasswordForEmail(email, { redirectTo: `${shop.url}/auth` })).error).toBeNull()
  const [mail] = await mailsTo(shop, email, 1)
  expect((await auth.verifyOtp(linkIn(mail!))).error).toBeNull()
  expect(events).toContain('PASSWORD_RECOVERY')

  expect((await auth.updateUser({ password })).error).toMatchObject({ status: 422, code: 'same_password' })
  expect((await auth.updateUser({ password: 'short' })).error).toMatchObject({
    code: 'weak_password',
    status: 422,
    reasons: ['length'],
  })
  expect((await auth.updateUser({ password: 'a new and better one' })).error).toBeNull()
  expect((await auth.getUser()).error).toBeNull()
  expect((await elsewhere.getUser()).error?.name).toBe('AuthSessionMissingError')
  expect((await auth.signInWithPassword({ email, password })).error?.code).toBe('invalid_credentials')
  const [, notice] = await mailsTo(shop, email, 2)
  expect(notice!.subject).toBe('Your password was changed')
  expect(notice!.text).toContain('Dear Naomi,')
})

test('name and other metadata are merged, a null removes, and the profile follows', async () => {
  const { auth, events, stored, user_id } = await signedIn(shop)
  await auth.updateUser({ data: { display_name: 'Ruth', city: 'York' } })
  const { data, error } = await auth.updateUser({ data: { display_name: 'Naomi', city: null } })
  expect(error).toBeNull()
  expect(data.user!.user_metadata).toEqual({ display_name: 'Naomi' })
  expect(stored()!.user.user_metadata).toEqual({ display_name: 'Naomi' })
  expect(events.at(-1)).toBe('USER_UPDATED')
  const { rows } = await shop.services.database.pool.query(
    `select * from profiles where user_id = '${user_id}'`,
  )
  expect(rows).toMatchObject([{ display_name: 'Naomi' }])
})

test('a new address counts once both mailboxes have confirmed it', async () => {
  const { auth, email, user_id } = await signedIn(shop)
  const new_email = someone()
  expect((await auth.updateUser({ email: new_email })).error).toBeNull()
  expect((await auth.getUser()).data.user!.email).toBe(email)
  const [mail] = await mailsTo(shop, new_email, 1)
  expect((await auth.resend({ type: 'email_change', email })).error).toBeNull()
  await mailsTo(shop, new_email, 2)
  const [notice] = await mailsTo(shop, email, 1)
  expect(notice!.text).toContain(new_email)
  expect(await auth.verifyOtp(linkIn(notice!))).toEqual({ data: { user: null, session: null }, error: null })
  const { error, data } = await auth.verifyOtp(linkIn(mail!))
  expect(error).toBeNull()
  expect(data.user).toMatchObject({ id: user_id, email: new_email })
  expect((await auth.signInWithPassword({ email: new_email, password })).error).toBeNull()
  expect((await auth.signInWithPassword({ email, password })).error?.code).toBe('invalid_credentials')
})

test('the user document tells of the address that waits, until it is confirmed, superseded or too old', async () => {
  const { auth, session, email } = await signedIn(shop)
  const waiting = async () => (await auth.getUser()).data.user!.new_email
  expect(await waiting()).toBeUndefined()
  const [first, second] = [someone(), someone()]
  const { data } = await auth.updateUser({ email: first })
  expect(data.user).toMatchObject({ new_email: first, email_change_sent_at: expect.any(String) })
  const [early] = await mailsTo(shop, first, 1)
  await auth.updateUser({ email: second })
  expect(await waiting()).toBe(second)
  expect((await auth.verifyOtp(linkIn(early!))).error?.code).toBe('otp_expired')
  await auth.verifyOtp(linkIn((await mailsTo(shop, email, 2))[1]!))
  expect(await waiting()).toBe(second)
  const [mail] = await mailsTo(shop, second, 1)
  const confirmed = await auth.verifyOtp(linkIn(mail!))
  expect(confirmed.data.user).not.toHaveProperty('new_email')

  await auth.updateUser({ email: someone() })
  await shop.services.database.pool.query(
    `update auth.users set new_email_asked_at = new_email_asked_at - interval '24 hours' where id = '${session.user.id}'`,
  )
  expect(await waiting()).toBeUndefined()
  await auth.updateUser({ email: someone() })
  expect(await waiting()).toBeDefined()
  await auth.updateUser({ password: 'a new and better one' })
  expect(await waiting()).toBeUndefined()
})

test('an address that has an account waits like any other: nobody learns of it so', async () => {
  const { email } = await signedIn(shop)
  const { auth } = await signedIn(shop)
  const { data } = await auth.updateUser({ email })
  expect(data.user!.new_email).toBe(email)
  expect((await auth.getUser()).data.user!.new_email).toBe(email)
})

test('of accounts that confirm one address at the same moment one gets it', async () => {
  for (let round = 0; round < 5; round++) {
    const wanted = someone()
    const rivals = await Promise.all([1, 2, 3, 4].map(() => signedIn(shop)))
    for (const { auth, email } of rivals) {
      await auth.updateUser({ email: wanted })
      await auth.verifyOtp(linkIn((await mailsTo(shop, email, 1))[0]!))
    }
    const mails = await mailsTo(shop, wanted, rivals.length)
    const responses = await Promise.all(
      mails.map((mail) => {
        const { type, token_hash } = linkIn(mail)
        return shop.call('POST', '/auth/v1/verify', { body: { type, token_hash } })
      }),
    )
    const refused = responses.filter(({ ok }) => !ok)
    expect(refused.map(({ status }) => status)).toEqual([422, 422, 422])
    for (const response of refused) expect(await response.json()).toMatchObject({ code: 'email_exists' })
  }
})

test('an address that another user has meanwhile confirmed is not taken over', async () => {
  const { auth } = await signedIn(shop)
  const wanted = someone()
  await auth.updateUser({ email: wanted })
  const [mail] = await mailsTo(shop, wanted, 1)
  await signedIn(shop, wanted)
  expect((await auth.verifyOtp(linkIn(mail!))).error).toMatchObject({ status: 422, code: 'email_exists' })
})

test('sign-out ends this session, the others, or all', async () => {
  const { auth: phone, email, events } = await signedIn(shop)
  const tabs = await Promise.all(
    [1, 2].map(async () => {
      const { auth } = await openBrowser(shop.url)
      await auth.signInWithPassword({ email, password })
      return auth
    }),
  )
  const alive = () => Promise.all([phone, ...tabs].map(async (each) => !(await each.getUser()).error))
  await phone.signOut({ scope: 'local' })
  expect(events.at(-1)).toBe('SIGNED_OUT')
  expect(await alive()).toEqual([false, true, true])
  await phone.signInWithPassword({ email, password })
  await phone.signOut({ scope: 'others' })
  expect(await alive()).toEqual([true, false, false])
  await tabs[0]!.signInWithPassword({ email, password })
  expect((await phone.signOut()).error).toBeNull()
  expect(await alive()).toEqual([false, false, false])
})
