// Where the shop says so, an admin needs a second factor for the admin area, and can always add one.
import { expect, test } from 'vitest'
import { openBrowser } from '#test/auth-client.ts'
import { codeOf, enrol } from '#test/second-factor.ts'
import { openOwnShop, saveGroup } from '#test/settings.ts'

test('an admin without a second factor is refused in the admin area, adds one, and is in', async () => {
  await using shop = await openOwnShop()
  const { admin } = shop
  const settings = async () => {
    const response = await admin.call('GET', '/api/admin/settings/shop')
    return { status: response.status, document: await response.json() }
  }
  const me = async () => (await admin.call('GET', '/api/me')).json()
  expect(await me()).toMatchObject({ is_admin: true, has_factor: false })
  const values = { admins_need_factor: true }
  expect(await saveGroup(admin, { revision: 0, values })).toEqual({ status: 200 })
  expect(await settings()).toMatchObject({ status: 403, document: { code: 'access.factor_needed' } })
  expect((await admin.call('GET', '/api/account')).status).toBe(200)

  const { auth } = await openBrowser(shop.url)
  const { error } = await auth.setSession({ access_token: admin.token, refresh_token: 'not used yet' })
  expect(error).toBeNull()
  const { factorId, secret } = await enrol({ auth })
  await auth.mfa.challengeAndVerify({ factorId, code: codeOf(secret, new Date()) })
  expect(await settings()).toMatchObject({ status: 200, document: { values } })
  expect(await me()).toMatchObject({ has_factor: true })
})
