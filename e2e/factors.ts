// Second factors of journeys: authenticator apps enrolled through the API, and a device that holds passkeys.
import { setTimeout as sleep } from 'node:timers/promises'
import type { CDPSession, Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { openDatabase } from '#platform/db/client.ts'
import { giveFactor } from '#test/factories.ts'
import type { Shop } from './open-shop.ts'
import { buy, makeUser, password, post, signIn, userIdOf, type Session } from './users.ts'

export type Enrolled = { id: string; secret: string }

const stepMs = 30_000

export const codeOf = (secret: string, stepsAhead = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + stepsAhead * stepMs })

export async function enrol(
  shop: Shop,
  { access_token }: Session,
  friendly_name = 'Phone',
): Promise<Enrolled> {
  const wish = { factor_type: 'totp', friendly_name }
  const factor = await post<{ id: string; totp: { secret: string } }>(
    shop,
    '/auth/v1/factors',
    wish,
    access_token,
  )
  return { id: factor.id, secret: factor.totp.secret }
}

const longestCallMs = 5_000

/** A code of the step before is refused when the present one ends before the shop has read it. */
async function waitForWholeStep(): Promise<void> {
  const left = stepMs - (Date.now() % stepMs)
  if (left < longestCallMs) await sleep(left)
}

/** Codes count up from the one before this moment's, for none is taken twice. */
export async function prove(
  shop: Shop,
  session: Session,
  { id, secret }: Enrolled,
  stepsAhead = -1,
): Promise<Session> {
  const path = `/auth/v1/factors/${id}`
  const challenge = await post<{ id: string }>(shop, `${path}/challenge`, {}, session.access_token)
  await waitForWholeStep()
  const response = { challenge_id: challenge.id, code: codeOf(secret, stepsAhead) }
  const proven = await post<Session>(shop, `${path}/verify`, response, session.access_token)
  return { ...proven, expires_at: Math.floor(Date.now() / 1000) + proven.expires_in }
}

export async function makeUserWithFactor(shop: Shop) {
  const email = await makeUser(shop)
  const session = await signIn(shop, { email, password })
  await buy(shop, session, 'digital')
  const factor = await enrol(shop, session)
  const proven = await prove(shop, session, factor)
  return { email, factor, proven }
}

/** One whose codes nobody knows. */
export async function giveFactorTo(shop: Shop, email: string): Promise<void> {
  await using database = openDatabase(shop.databaseUrl, { max: 1 })
  await giveFactor(database.db, await userIdOf(shop, email))
}

/** At /auth: the password, after which the second factor is asked for. */
export async function givePassword(page: Page, email: string): Promise<void> {
  const form = page.getByRole('tabpanel', { name: 'Sign In' })
  await form.getByLabel('Email').fill(email)
  await form.getByLabel('Password', { exact: true }).fill(password)
  await form.getByRole('button', { name: 'Sign In' }).click()
}

/** A device with a screen lock that its owner opens. */
export async function addAuthenticator(page: Page) {
  const client = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable')
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { client, authenticatorId }
}

export async function loseAuthenticator(client: CDPSession, authenticatorId: string): Promise<void> {
  await client.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
}
