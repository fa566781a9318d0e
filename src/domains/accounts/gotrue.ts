// The bodies of calls. Fields that GoTrue's clients send and the shop does not use are ignored.
import type { RenderRefusal } from '#platform/http/route.ts'
import { accessTokenSeconds } from './tokens.ts'
import { type Session, hashDeviceId, type Device } from './sessions.ts'
import { type Account, accountProblem } from './accounts.ts'
import { addressToCome } from './pending-address.ts'
import type { AccountsContext } from './accounts-context.ts'
import type { Context } from 'hono'
import { z } from 'zod'
import { signUpCredentials } from '#contract/accounts/accounts.ts'
import { deviceHeader } from '#contract/accounts/device-header.ts'
import { email, givenPassword, line, password, storable, typedCode } from '#contract/fields.ts'
import { clientIp, clientNetwork } from '#platform/http/client-ip.ts'
import type { Config } from '../../config.ts'
import { addressLinks, type LinkType, type CodeType } from './links.ts'

/** A sign-up with a known address gets the same keys, so that the response does not reveal the account. */
export function userDocument({ id, email, user_metadata, factors, ...account }: Account, now: Date) {
  const times = {
    last_sign_in_at: account.last_sign_in_at?.toISOString() ?? null,
    created_at: account.created_at.toISOString(),
    updated_at: account.updated_at.toISOString(),
  }
  const email_confirmed_at = account.email_confirmed_at?.toISOString() ?? null
  const new_email = addressToCome(account, now)
  const email_change_sent_at = new_email && account.new_email_asked_at?.toISOString()
  const identity_data = { sub: id, email, email_verified: email_confirmed_at !== null }
  return {
    id,
    aud: 'authenticated',
    role: 'authenticated',
    email,
    ...(new_email && { new_email, email_change_sent_at }),
    phone: '',
    email_confirmed_at,
    confirmed_at: email_confirmed_at,
    ...times,
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata,
    identities: [{ id, identity_id: id, user_id: id, provider: 'email', email, identity_data, ...times }],
    factors,
    is_anonymous: false,
  }
}

export type SignedIn = { session: Session; account: Account }

/** Leaves out `expires_at`: auth-js then counts from its own clock, and a wrong one does no harm. */
export async function sessionDocument(
  { accessTokens, refreshTokens, clock }: Pick<AccountsContext, 'accessTokens' | 'refreshTokens' | 'clock'>,
  { session, account }: SignedIn,
) {
  return {
    access_token: await accessTokens.write({ session, account }),
    token_type: 'bearer',
    expires_in: accessTokenSeconds,
    refresh_token: refreshTokens.write(session),
    user: userDocument(account, clock()),
  }
}

const names: Partial<Record<string, string>> = {
  'auth.common_password': 'weak_password',
  'auth.sign_out_insufficient_aal': 'insufficient_aal',
  'request.malformed': 'validation_failed',
  'server.bug': 'unexpected_failure',
  'server.full': 'unexpected_failure',
  'server.unavailable': 'request_timeout',
}

/** GoTrue's own reasons; auth-js reads them. */
const weakness: Partial<Record<string, string>> = {
  'auth.weak_password': 'length',
  'auth.common_password': 'pwned',
}

/** A 5xx makes auth-js try again, a 4xx makes it sign out: a failure of the server must never be a 4xx. */
export const renderGoTrueRefusal: RenderRefusal = ({ code, status, message }, c) => {
  const reason = weakness[code]
  const weak_password = reason ? { weak_password: { reasons: [reason] } } : {}
  return c.json({ code: names[code] ?? code.replace(/^auth\./, ''), message, ...weak_password }, status)
}

const scalar = z.union([storable, z.number(), z.boolean(), z.null()])

/** Flat and small: it travels in every access token, and so in a header of every call. */
const userMetadata = z
  .object({ display_name: line(200).nullish() })
  .catchall(scalar)
  .refine((value) => Object.keys(value).every((key) => storable.safeParse(key).success))
  .refine(isSmall, 'This is more than an account can hold.')

const maxMetadataBytes = 2_000

export function isSmall(metadata: object): boolean {
  return Buffer.byteLength(JSON.stringify(metadata)) <= maxMetadataBytes
}

export const signUpRequest = signUpCredentials.extend({ data: userMetadata.optional() })
export const refreshRequest = z.object({ refresh_token: z.string().max(200) })
export const resendRequest = z.object({ email, type: z.enum(['signup', 'email_change']) })

export const otpRequest = z.object({ email })

/** A link has a token, a mailed code comes with its address. `email` is a code of either kind, as GoTrue has it. */
export const verifyRequest = z.union([
  z.object({
    type: z
      .enum(['signup', 'magiclink', 'email', 'recovery', 'email_change'])
      .transform((type) => linksOf[type]),
    token_hash: z.string().min(1).max(200),
  }),
  z.object({
    type: z.enum(['signup', 'magiclink', 'email']).transform((type) => codeTypes[type]),
    email,
    token: typedCode,
  }),
])

const linksOf: Record<CodedType | 'recovery' | 'email_change', readonly LinkType[]> = {
  signup: ['signup'],
  magiclink: ['magiclink'],
  email: ['signup'],
  recovery: ['recovery'],
  email_change: addressLinks,
}

type CodedType = 'signup' | 'magiclink' | 'email'

const codeTypes: Record<CodedType, CodeType[]> = {
  signup: ['signup'],
  magiclink: ['magiclink'],
  email: ['signup', 'magiclink'],
}

export const changeRequest = z.object({
  email: email.optional(),
  password: password.optional(),
  current_password: givenPassword.optional(),
  data: userMetadata.optional(),
  /** The code of `reauthenticate`. */
  nonce: typedCode.optional(),
})

/** GoTrue's client sends no body here; one may come with the proof. */
export const proofRequest = z.object({ current_password: givenPassword.optional() })

export const enrolRequest = proofRequest.extend({
  factor_type: z.literal('totp'),
  friendly_name: line(60).optional(),
  issuer: line(60).optional(),
})
export const recoveryCodesRequest = proofRequest.extend({ friendly_name: line(60).optional() })
export const recoveryCodeRequest = z.object({ code: typedCode })
const challenge_id = z.uuid()
const base64url = z
  .string()
  .regex(/^[\w-]+$/)
  .max(12_000)
const credential = { id: base64url, rawId: base64url, type: z.literal('public-key') }
const clientExtensionResults = z.object({}).default({})

const assertion = z.object({
  ...credential,
  clientExtensionResults,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.nullish().transform((value) => value ?? undefined),
  }),
})

const attestation = z.object({
  ...credential,
  clientExtensionResults,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.array(z.string().max(20)).max(10).default([]),
  }),
})

export const registrationRequest = z.object({ challenge_id, credential: attestation })
export const passkeyRequest = z.object({ challenge_id, credential: assertion })
export const passkeyChange = z.object({ friendly_name: line(120) })

/** The code of an app, or what a passkey has signed. */
export const codeRequest = z.union([
  z.object({ challenge_id, webauthn: z.object({ credential_response: assertion }) }),
  z.object({ challenge_id, code: typedCode }),
])

export const scope = z.enum(['global', 'local', 'others']).default('global')

export function deviceOf(c: Context, { trustedProxies }: Pick<Config, 'trustedProxies'>): Device {
  return {
    ip: clientIp(c, trustedProxies),
    network: clientNetwork(c, trustedProxies),
    user_agent: c.req.header('user-agent')?.slice(0, 300) ?? null,
    id_hash: hashDeviceId(c.req.header(deviceHeader)),
  }
}

export async function readBody<Schema extends z.ZodType>(
  c: Context,
  schema: Schema,
): Promise<z.output<Schema>> {
  const body: unknown = await c.req.json().catch(() => {
    throw accountProblem('auth.validation_failed')
  })
  return parse(schema, body)
}

export async function readOptionalBody<Schema extends z.ZodType>(
  c: Context,
  schema: Schema,
): Promise<z.output<Schema>> {
  return (await c.req.text()) === '' ? parse(schema, {}) : readBody(c, schema)
}

export function parse<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  if (issue?.code === 'too_small' && issue.path[0] === 'password')
    throw accountProblem('auth.weak_password', { detail: issue.message })
  throw accountProblem('auth.validation_failed', issue ? { detail: issue.message } : {})
}
