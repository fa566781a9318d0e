// The WebAuthn ceremonies, by their library. Users are always verified, so that a passkey is two factors.
import type { AccountsContext } from './accounts-context.ts'
import type {
  AuthenticationResponseJSON,
  RegistrationResponseJSON,
  WebAuthnCredential,
} from '@simplewebauthn/server'
import { challengeMs } from './challenges.ts'

/** EdDSA, ES256 and RS256: whatever the machine's own OpenSSL can do besides. */
const algorithms = [-8, -7, -257]

/** Loaded with the first passkey: it takes 30 MB and half a second. In the bundle its own import of Reflect comes too late. */
async function library() {
  await import('reflect-metadata')
  return import('@simplewebauthn/server')
}

export type RelyingParty = { rpID: string; origin: string }

export function relyingParty({ settings }: Pick<AccountsContext, 'settings'>): RelyingParty {
  const { hostname, origin } = new URL(settings.get().shop.site_url)
  return { rpID: hostname, origin }
}

type Known = Pick<WebAuthnCredential, 'id'> & { transports: string[] }

type NewPasskey = {
  rpName: string
  challenge: string
  user: { id: string; email: string; display_name: string | null }
  known: Known[]
}

export async function creationOptions({ rpID }: RelyingParty, newPasskey: NewPasskey) {
  const { generateRegistrationOptions } = await library()
  const { challenge, rpName, user, known } = newPasskey
  return generateRegistrationOptions({
    rpID,
    rpName,
    challenge: Buffer.from(challenge, 'base64url'),
    userID: Buffer.from(user.id),
    userName: user.email,
    userDisplayName: user.display_name ?? user.email,
    timeout: challengeMs,
    attestationType: 'none',
    excludeCredentials: known,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
  })
}

/** The browser offers all passkeys that it has for this shop without `known`. */
export async function requestOptions({ rpID }: RelyingParty, challenge: string, known?: Known[]) {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({
    rpID,
    challenge: Buffer.from(challenge, 'base64url'),
    timeout: challengeMs,
    userVerification: 'required',
    ...(known && { allowCredentials: known }),
  })
}

/**
 * Undefined when the response is not right, for whatever reason. None with certificates is looked at: for them the library
 * would call an address that they name.
 */
export async function verifyCreation(
  { rpID, origin }: RelyingParty,
  response: RegistrationResponseJSON,
  challenge: string,
) {
  const { verifyRegistrationResponse } = await library()
  if (await hasCertificates(response)) return undefined
  const verified = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
  }).catch(() => undefined)
  return verified?.registrationInfo
}

async function hasCertificates({ response }: RegistrationResponseJSON): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers')
  try {
    const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject))
    const format = attestation.get('fmt')
    return format !== 'none' && (format !== 'packed' || attestation.get('attStmt').get('x5c') !== undefined)
  } catch {
    return true
  }
}

/** Returns undefined for a response that is not right. One whose counter does not go on is not right either. */
export async function verifyRequest(
  { rpID, origin }: RelyingParty,
  response: AuthenticationResponseJSON,
  { challenge, credential }: { challenge: string; credential: WebAuthnCredential },
) {
  const { verifyAuthenticationResponse } = await library()
  const verified = await verifyAuthenticationResponse({
    response,
    credential,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
  }).catch(() => undefined)
  return verified?.verified ? verified.authenticationInfo : undefined
}
