// Which call of an admin asks for a recent sign-in or proof: every route, with sessions of three ages.
import { expect, test } from 'vitest'
import { accountCalls } from './permissions/account-calls.ts'
import { adminCalls } from './permissions/admin-calls.ts'
import type { Own } from './permissions/call-table.ts'
import { catalogueCalls } from './permissions/catalogue-calls.ts'
import { proofs, type Needs } from './permissions/proofs.ts'
import { giveFactor } from './factories.ts'
import { openTestShop } from './shop.ts'

const calls = { ...catalogueCalls, ...adminCalls, ...accountCalls }

test('every call of an admin that writes says whether it needs a proof', () => {
  const writing = Object.entries(calls)
    .filter(([route, { statuses }]) => !route.startsWith('GET ') && statuses.buyer === 403)
    .filter(([, { statuses }]) => statuses.anonymous === 401)
    .map(([route]) => route)
  expect(Object.keys(proofs).toSorted()).toEqual(writing.toSorted())
})

const passwordNeeded = 'Please sign in again to change this.'
const codeNeeded = 'Please confirm with your second factor first.'

type Age = { session: string; refuses: Needs[]; says: string }
const ages: Record<string, Age> = {
  'ten minutes after the password': {
    session: `proved_at = now() - interval '10 minutes'`,
    refuses: ['recent-proof'],
    says: passwordNeeded,
  },
  'a day after the password': {
    session: `proved_at = now() - interval '1 day'`,
    refuses: ['recent-proof', 'recent-sign-in'],
    says: passwordNeeded,
  },
  'ten minutes after the code': {
    session: `aal = 'aal2', factor_proved_at = now() - interval '10 minutes'`,
    refuses: ['recent-proof'],
    says: codeNeeded,
  },
}

test.each(Object.keys(ages))('%s, what needs a proof is refused, and nothing else', async (age) => {
  const { session, refuses, says } = ages[age]!
  await using shop = await openTestShop({ hasWorkers: false, env: { RATE_LIMIT: 'off' } })
  const other = await shop.person()
  const second = await shop.person({ role: 'admin' })
  const thief = await shop.person({ role: 'admin' })
  const { id: product_id } = await shop.product('digital')
  const { id: purchase_id } = await other.buy(product_id)
  const missing = { file: '', list: '', draft: '', factor_id: '' }
  const own: Own = { product_id, purchase_id, other_id: other.id, admin_id: second.id, ...missing }
  if (says === codeNeeded) await giveFactor(shop.services.db, thief.id)
  await shop.services.database.pool.query(`update auth.sessions set ${session} where user_id = '${thief.id}'`)
  const asked: Record<string, boolean> = {}
  const expected: Record<string, boolean> = {}
  for (const [route, needed] of Object.entries(proofs)) {
    const [method, pattern] = route.split(' ') as [string, string]
    const variants = typeof needed === 'string' ? [{ needs: needed }] : needed
    for (const [nth, variant] of variants.entries()) {
      const { path, body } = { ...calls[route]!, ...variant }
      const response = await thief.call(method, path?.(own) ?? pattern, body && { body: body(own) })
      asked[`${route} ${nth}`] = (await response.text()).includes(says)
      expected[`${route} ${nth}`] = refuses.includes(variant.needs)
    }
  }
  expect(asked).toEqual(expected)
})
