// People for tests: with a password of their own, as after a sign-up, signed in as a browser signs in.
import { randomUUID } from 'node:crypto'
import type { Role } from '#contract/accounts/accounts.ts'
import type { Shop } from '../src/shop.ts'
import type { Call } from './call.ts'

export type PersonOptions = { email?: string; display_name?: string; role?: Role }

export type Person = {
  id: string
  email: string
  password: string
  token: string
  call: Call
  /** Buys and returns the purchase. */
  buy(product_id: string, more?: { address: object }): Promise<{ id: string; amount: number; status: string }>
}

export async function createPerson(
  { auth }: Pick<Shop, 'auth'>,
  call: Call,
  {
    email = `user-${randomUUID()}@example.com`,
    display_name = 'Test User',
    role = 'user',
  }: PersonOptions = {},
): Promise<Person> {
  const password = 'correct horse'
  const { user_id } = await auth.createAccount({
    email,
    password,
    display_name,
    role,
    isOwnPassword: true,
  })
  const response = await call('POST', '/auth/v1/token?grant_type=password', { body: { email, password } })
  if (!response.ok) throw new Error(`sign-in failed: ${await response.text()}`)
  const { access_token: token } = (await response.json()) as { access_token: string }
  const own: Person['call'] = (method, path, options) => call(method, path, { ...options, token })
  return {
    id: user_id,
    email,
    password,
    token,
    call: own,
    async buy(product_id, more) {
      const made = await own('POST', '/api/purchases', {
        body: { product_id, ...more },
        headers: { 'idempotency-key': randomUUID() },
      })
      if (made.status !== 201) throw new Error(`buying failed: ${await made.text()}`)
      return (await made.json()) as { id: string; amount: number; status: string }
    },
  }
}
