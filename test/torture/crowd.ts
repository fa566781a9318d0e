// People with accounts, and what they ask of a shop that may be dead at that moment.
import { randomUUID } from 'node:crypto'
import { admin } from '../running-shop.ts'

export type Person = { user_id: string; email: string; token: string }

/** `status` is 0 when the connection broke: then nobody knows whether it was done. */
type Heard<Body> = { status: number; isOk: boolean; body: Body }

export type Crowd = {
  people: Person[]
  author: Person
  /** How often each status was answered. */
  statuses: Map<number, number>
  /** Milliseconds that the slowest response took. */
  maxMs: number
  /** Responses with status 503 that did not say when to try again. */
  withoutRetryAfter: number
  /** Asked once. A user who was signed out meanwhile is signed in again for the next call. */
  ask<Body>(person: Person, path: string, body?: object, key?: string): Promise<Heard<Body>>
}

/** Of everyone, the author included. */
const { password } = admin
/** Longer than the shop may take. */
const timeoutMs = 60_000
/** Each sign-in is a hash; more at once would only wait. */
const atOnce = 4

export async function gatherCrowd(url: string, count: number): Promise<Crowd> {
  const statuses = new Map<number, number>()

  function send(path: string, body: object | undefined, headers: Record<string, string> = {}) {
    return fetch(`${url}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    })
  }

  async function signIn(email: string): Promise<Person> {
    const response = await send('/auth/v1/token?grant_type=password', { email, password })
    const { user, access_token } = (await response.json()) as { user: { id: string }; access_token: string }
    return { email, user_id: user.id, token: access_token }
  }

  async function ask<Body>(person: Person, path: string, body?: object, key?: string) {
    const headers = { authorization: `Bearer ${person.token}`, ...(key && { 'idempotency-key': key }) }
    const heard: Heard<Body> = { status: 0, isOk: false, body: undefined as Body }
    const since = Date.now()
    try {
      const response = await send(path, body, headers)
      heard.body = (await response.json()) as Body
      heard.status = response.status
      heard.isOk = response.ok
      if (response.status === 503 && !response.headers.has('retry-after')) crowd.withoutRetryAfter += 1
      if (response.status === 401) person.token = (await signIn(person.email)).token
    } catch {
      // Broken, or too slow: it is asked again.
    }
    statuses.set(heard.status, (statuses.get(heard.status) ?? 0) + 1)
    crowd.maxMs = Math.max(crowd.maxMs, Date.now() - since)
    return heard
  }

  const author = await signIn(admin.email)
  const people: Person[] = []
  const crowd: Crowd = { people, author, statuses, maxMs: 0, withoutRetryAfter: 0, ask }
  async function welcome(at: number): Promise<Person> {
    const email = `buyer-${at}-${randomUUID()}@example.com`
    const headers = { authorization: `Bearer ${author.token}` }
    await send('/functions/v1/admin-create-user', { email, password }, headers)
    return signIn(email)
  }

  const waiting = Array.from({ length: count }, (_, at) => at).values()
  const work = async () => {
    for (const at of waiting) people.push(await welcome(at))
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return crowd
}
