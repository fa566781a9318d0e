// The command `lectern admin`: lists admins, makes accounts, grants and revokes roles, and replaces the shop’s secret.
import { findFingerprint } from '#platform/secrets.ts'
import {
  createSecret,
  existingSecrets,
  findSecret,
  putInPlace,
  repairSecretFiles,
  secretFrom,
} from '#platform/secret.ts'
import type { Shop } from '../shop.ts'
import { changeSecret, listSealed, type Sealed } from '#domains/accounts/secrets.ts'
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { eq, ne, sql } from 'drizzle-orm'
import { roles, type Role } from '#contract/accounts/accounts.ts'
import { profiles, user_roles } from '#tables/accounts.ts'
import { seed } from '#domains/catalog/seed.ts'
import { email as address, password as secret } from '#contract/fields.ts'
import { allJobs } from '../jobs.ts'
import { createSetupLinkOfLastStart, hasAdmin } from '#domains/setup/first-admin.ts'
import { setupProblem } from '#domains/setup/shop.ts'
import { createUser, makePasswordLink, resetFactors, setRole } from '#domains/accounts/users.ts'
import { loadEnvFile, readConfig } from '../config.ts'
import { requireClosedSocket } from './server.ts'
import { fail, openData, openShell } from './shell.ts'
import { usage } from './usage.ts'

async function newSecret(isConfirmed: boolean): Promise<void> {
  loadEnvFile()
  await requireClosedSocket(readConfig())
  await using open = await openData()
  const { config, database } = open
  const { db } = database
  const { authSecret, oldAuthSecret, dataDir } = config
  const fingerprint = await findFingerprint(db)
  const from = fingerprint && findSecret(existingSecrets(config), fingerprint)
  if (!from && oldAuthSecret !== undefined)
    throw new Error('OLD_AUTH_SECRET is not the secret that this shop has.')
  if (from && from.text === authSecret)
    throw new Error(
      'AUTH_SECRET is the secret that this shop has already. Set AUTH_SECRET to the new one and OLD_AUTH_SECRET to the old one, and run this again.',
    )
  if (from) repairSecretFiles(config, from)
  const effect = describeChange(await listSealed(db), from !== undefined)
  if (!isConfirmed) throw new Error(`${effect}\nNothing was changed. Run it again with --yes to do so.`)
  const to = authSecret === undefined ? createSecret() : secretFrom(authSecret)
  const saveFile = authSecret === undefined ? () => putInPlace(dataDir, to) : undefined
  await changeSecret(db, { from, to, saveFile }, new Date())
  console.log(`The new secret is in force. ${effect}`)
}

function describeChange({ sessions, factors, emails, settings }: Sealed, areKept: boolean): string {
  const ended = `All users must sign in again (${sessions} sessions end), and links that were given out stop working.`
  if (areKept)
    return `${ended} ${factors} second factors and ${settings.length} passwords and keys of the settings stay.`
  const lines = [
    ended,
    ...(emails.length > 0
      ? [
          `${factors} second factors are removed: until they are set up again, the password alone opens the accounts of ${emails.join(', ')}.`,
        ]
      : []),
    ...(settings.length > 0
      ? [`Of the settings are removed, and have to be entered again: ${settings.join(', ')}.`]
      : []),
    'Only the old secret opens these: give it as OLD_AUTH_SECRET to keep them.',
  ]
  return lines.join('\n')
}

const shell = { id: null, email: 'shell', ip: null }

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      password: { type: 'string' },
      yes: { type: 'boolean', default: false },
    },
  })
  const [command = '', who, role = 'admin'] = positionals
  if (command === 'new-secret') return await newSecret(values.yes)
  if (
    !['list', 'setup-link'].includes(command) &&
    (!['create', 'grant', 'revoke', 'reset-factor', 'reset-password'].includes(command) || !who)
  )
    throw new Error(usage.admin)
  if (!isRole(role)) throw new Error(`There is no role "${role}": there are ${roles.join(', ')}.`)
  await using open = await openShell()
  const { services } = open
  if (command === 'list') return await list(services)
  if (command === 'setup-link') return await printSetupLink(services)
  const email = address.parse(who)
  if (command === 'create') return await create(services, email, values.password)
  if (command === 'reset-factor') return await resetFactor(services, email)
  if (command === 'reset-password') return await resetPassword(services, email)
  await services.queue.start(allJobs(services))
  const request = { role, isGranted: command === 'grant' }
  const { isInvited } = await setRole(services, shell, await findUser(services, email), request)
  const invited = isInvited ? ' A mail asks for a new password.' : ''
  console.log(request.isGranted ? `${email} is ${role} now.${invited}` : `${email} is no ${role} any more.`)
}

function isRole(text: string): text is Role {
  return roles.some((role) => role === text)
}

async function printSetupLink(services: Shop): Promise<void> {
  if (await hasAdmin(services.db)) throw setupProblem('setup.finished')
  console.log(createSetupLinkOfLastStart(services))
}

async function create(services: Shop, email: string, typedPassword: string | undefined): Promise<void> {
  const password = secret.parse(typedPassword ?? randomBytes(12).toString('base64url'))
  await seed(services)
  await services.queue.start(allJobs(services))
  await createUser(services, shell, { email, password, role: 'admin' })
  console.log(`${email} is admin now${typedPassword ? '.' : `; the password is ${password}`}`)
}

async function resetFactor(services: Shop, email: string): Promise<void> {
  await services.queue.start(allJobs(services))
  await resetFactors(services, shell, await findUser(services, email))
  console.log(`${email} has no second factor any more, and must sign in again.`)
}

async function resetPassword(services: Shop, email: string): Promise<void> {
  const link = await makePasswordLink(services, shell, await findUser(services, email))
  console.log(`${link}
The link to a new password works once, for an hour. ${email} is signed out everywhere; a second factor stays.`)
}

async function findUser({ db }: Shop, email: string): Promise<string> {
  const [user] = await db
    .select({ user_id: profiles.user_id })
    .from(profiles)
    .where(eq(sql`lower(${profiles.email})`, email))
  if (!user) throw new Error(`Nobody has the address ${email}.`)
  return user.user_id
}

async function list({ db }: Shop): Promise<void> {
  const rows = await db
    .select({ email: profiles.email, role: user_roles.role })
    .from(user_roles)
    .innerJoin(profiles, eq(profiles.user_id, user_roles.user_id))
    .where(ne(user_roles.role, 'user'))
    .orderBy(user_roles.role, profiles.email)
  for (const { email, role } of rows) console.log(`${role.padEnd(10)} ${email}`)
}

await main().catch(fail)
process.exit(0)
