// The bodies of calls. Fields that GoTrue's clients send and the shop does not use are ignored.
import type { Context } from 'hono'
import { z } from 'zod'
import { signUpCredentials } from '#contract/accounts/credentials.ts'
import { deviceHeader } from '#contract/accounts/device-header.ts'
import { email, givenPassword, line, password, storable, typedCode } from '#contract/fields.ts'
import { clientIp, clientNetwork } from '#platform/http/client-ip.ts'
import type { Config } from '../../config.ts'
import { accountProblem } from './problem.ts'
import { hashDeviceId, type Device } from './devices.ts'
import { addressLinks, type LinkType } from './links.ts'
import type { CodeType } from './mailed-codes.ts'

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

/** Where GoTrue's client sends no body, one may come with the proof. */
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
