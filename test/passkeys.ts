// Passkeys for tests, added and given through the calls of auth-js.
import type { Browser } from './auth-client.ts'
import { makeAuthenticator, type Authenticator, type Faults } from './authenticator.ts'
import type { TestShop } from './shop.ts'

type Auth = Pick<Browser, 'auth'>

export async function addPasskey(shop: TestShop, { auth }: Auth, faults: Faults = {}) {
  const authenticator = makeAuthenticator(shop.url)
  const started = await auth.passkey.startRegistration()
  if (started.error) throw started.error
  const { challenge_id, options } = started.data
  const asked = { challenge: options.challenge, rpId: options.rp.id!, userId: options.user.id }
  const credential = authenticator.create(asked, faults)
  const { data, error } = await auth.passkey.verifyRegistration({ challengeId: challenge_id, credential })
  if (error) throw error
  return { authenticator, credential, ...data }
}

export async function signInByPasskey({ auth }: Auth, authenticator: Authenticator, faults: Faults = {}) {
  const started = await auth.passkey.startAuthentication()
  if (started.error) throw started.error
  const { challenge_id: challengeId, options } = started.data
  const credential = authenticator.get({ challenge: options.challenge, rpId: options.rpId! }, faults)
  return {
    challengeId,
    credential,
    ...(await auth.passkey.verifyAuthentication({ challengeId, credential })),
  }
}
