// The second place as a screen sets it: a bucket. A folder is named by BACKUP_URL only.
import { z } from 'zod'

const tooLong = 'Please keep this under 200 characters.'

function isServer(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, origin, href } = new URL(address)
  return /^https?:$/.test(protocol) && href === `${origin}/`
}

export const backupSettings = z.object({
  /** Empty: Amazon's, which follows from the region. */
  endpoint: z
    .string()
    .max(200, tooLong)
    .refine((address) => address === '' || isServer(address), {
      error: 'Please enter the address of the server alone, as https://s3.example.com.',
    })
    .transform((address) => address && new URL(address).origin),
  region: z
    .string()
    .regex(/^[a-z\d-]{0,40}$/, 'A region has small letters, digits and hyphens, as eu-central-1.'),
  /** Empty: there is no second place by this screen. */
  bucket: z
    .string()
    .regex(
      /^(?:[a-z\d][a-z\d.-]{1,61}[a-z\d])?$/,
      'The name of a bucket has 3 to 63 small letters, digits, dots and hyphens.',
    ),
  /** A folder of the bucket, so that several shops can share it. */
  prefix: z
    .string()
    .max(200, tooLong)
    .regex(/^[\w./ -]*$/, 'Please use letters, digits, dots, hyphens and slashes only.')
    .transform((path) => path.replaceAll(/^\/+|\/+$/g, ''))
    .refine((path) => path.split('/').every((part) => !/^\.{1,2}$/.test(part)), {
      error: 'This is not the name of a folder.',
    }),
  access_key: z.string().max(200, tooLong),
  secret_key: z.string().max(200, tooLong).optional(),
  /** A copy is made each hour in which something changed, too. */
  is_hourly: z.boolean(),
  /** Made by the shop; encrypts what is copied to this bucket, and what is downloaded. */
  passphrase: z.string().optional(),
  /** Those before it, a line each: what opens the bucket may not be sealed with the present one yet. */
  former_passphrases: z.string().optional(),
  /** The server has to be on the internet: a screen must not reach into the shop's own network. */
  is_public_only: z.boolean(),
})
export type BackupSettings = z.output<typeof backupSettings>

const trySteps = ['write', 'list', 'read', 'remove'] as const
export type TryStep = (typeof trySteps)[number]

/** `failed`: the step that did not work; those after it were not tried. */
export const placeTest = z.object({
  place: z.string(),
  failed: z.enum(trySteps).nullable(),
  reason: z.string().nullable(),
  advice: z.string().nullable(),
})
export type PlaceTest = z.output<typeof placeTest>
