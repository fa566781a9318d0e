import { findFingerprint } from '#platform/secrets.ts'
import {
  configuredSecret,
  findSecret,
  knownSecrets,
  preparedSecret,
  prepareFreshSecret,
  prepareSecret,
  putInPlace,
  type Secret,
} from '#platform/secret.ts'
import type { Shop } from '../shop.ts'
import {
  changeSecret,
  countSecretChange,
  isShopRunning,
  countUnprepared,
  rotateSecret,
} from '#domains/accounts/secrets.ts'
import { leadMs } from '#platform/key-rotation.ts'
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { eq, ne, sql } from 'drizzle-orm'
import { roles, type Role } from '#contract/accounts/accounts.ts'
import { profiles, user_roles } from '#tables/accounts.ts'
import { rotateSigningKey } from '#domains/accounts/signing-keys.ts'
import { seed } from '#domains/catalog/seed.ts'
import { email as address, password as secret } from '#contract/fields.ts'
import { allJobs } from '../jobs.ts'
import { createSetupLink, hasAdmin } from '#domains/operations/setup.ts'
import { operationProblem } from '#domains/operations/problem.ts'
import { createUser, resetFactors, setRole } from '#domains/accounts/users.ts'
import { fail, openShell } from './shell.ts'
import { usage } from './usage.ts'

type SecretPlan = {
  from: Secret | undefined
  /** `isFresh`: not the one that an interrupted change has left. */
  prepare(isFresh: boolean): Secret
  finish(to: Secret): void
}

async function planSecretChange({
  db,
  config,
}: Pick<Shop, 'db' | 'config'>): Promise<SecretPlan | 'finished'> {
  const { authSecret, oldAuthSecret, dataDir } = config
  const fingerprint = await findFingerprint(db)
  const configured = configuredSecret(config)
  const from = fingerprint && findSecret(knownSecrets(config), fingerprint)
  if (!from && oldAuthSecret !== undefined)
    throw new Error('OLD_AUTH_SECRET is not the secret that this shop has.')
  // A change that was interrupted after the database had taken it.
  if (!authSecret && from && from.text === preparedSecret(dataDir)?.text) {
    putInPlace(dataDir, from)
    return 'finished'
  }
  if (from?.text !== configured.text) return { from, prepare: () => configured, finish() {} }
  if (!authSecret)
    return {
      from,
      prepare: (isFresh) => (isFresh ? prepareFreshSecret(dataDir) : prepareSecret(dataDir)),
      finish: (to) => putInPlace(dataDir, to),
    }
  throw new Error(
    'AUTH_SECRET is the secret that this shop has already. Set AUTH_SECRET to the new one and OLD_AUTH_SECRET to the old one, and run this again.',
  )
}

async function newSecret(services: Shop, isConfirmed: boolean): Promise<void> {
  const { db, clock } = services
  const plan = await planSecretChange(services)
  if (plan === 'finished') return console.log('The new secret is in force.')
  const { sessions, factorsResealed, factorsRemoved, settingsRemoved } = await countSecretChange(
    db,
    plan.from,
  )
  const factors = plan.from
    ? `${factorsResealed} second factors stay.`
    : `${factorsRemoved} second factors are removed: only the old secret could open them, and until they are set up again the password alone opens their accounts. Give the old one as OLD_AUTH_SECRET to keep them.`
  const settings =
    settingsRemoved > 0
      ? ` ${settingsRemoved} passwords and keys of the settings are removed, and have to be entered again.`
      : ''
  const effect = `All users must sign in again (${sessions} sessions end), and download links that were given out stop working. ${factors}${settings}`
  if (!isConfirmed) throw new Error(`${effect}\nNothing was changed. Run it again with --yes to do so.`)
  if (await isShopRunning(db)) {
    throw new Error('The shop is running: stop it first, all its processes. Nothing was changed.')
  }
  const to = plan.prepare(true)
  await changeSecret(db, { from: plan.from, to }, clock())
  plan.finish(to)
  console.log(`The new secret is in force. ${effect}`)
}

type Options = { isAtOnce: boolean; isConfirmed: boolean }

async function rotate(services: Shop, { isAtOnce, isConfirmed }: Options): Promise<void> {
  const { db, config, clock } = services
  const plan = await planSecretChange(services)
  if (plan === 'finished') return console.log('The new secret is in force.')
  const { from } = plan
  if (!from)
    throw new Error(
      'The secret of this shop is not here: give it as OLD_AUTH_SECRET. If it is lost, use "lectern admin new-secret".',
    )
  const unprepared = await countUnprepared(db, config)
  if (unprepared > 0)
    throw new Error(
      `${unprepared} running processes of the shop do not have the new secret: start them again with AUTH_SECRET and OLD_AUTH_SECRET set as here. Nothing was changed.`,
    )
  const { sessions } = await countSecretChange(db, from)
  if (isAtOnce && !isConfirmed)
    throw new Error(
      `All users must sign in again (${sessions} sessions end).\nNothing was changed. Run it again with --yes to do so.`,
    )
  const to = plan.prepare(isAtOnce)
  if (isAtOnce) await changeSecret(db, { from, to }, clock())
  else await rotateSecret(db, { from, to }, clock())
  plan.finish(to)
  console.log(
    isAtOnce
      ? `The new secret is in force. ${sessions} sessions have ended.`
      : `The new secret is in force, and signs in ${leadMs / 1000} seconds. Sessions go on.`,
  )
}

const shell = { id: null, email: 'shell', ip: null }

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      password: { type: 'string' },
      yes: { type: 'boolean', default: false },
      'at-once': { type: 'boolean', default: false },
    },
  })
  const [command = '', who, role = 'admin'] = positionals
  if (command === 'new-secret' || command === 'rotate-secret') {
    await using open = await openShell({ mayChangeSecret: true })
    if (command === 'new-secret') return await newSecret(open.services, values.yes)
    return await rotate(open.services, { isAtOnce: values['at-once'], isConfirmed: values.yes })
  }
  if (command === 'rotate-signing-key') return await rotateKey()
  if (
    !['list', 'setup-link'].includes(command) &&
    (!['create', 'grant', 'revoke', 'reset-factor'].includes(command) || !who)
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
  await services.queue.start(allJobs(services))
  const request = { role, isGranted: command === 'grant' }
  const { isInvited } = await setRole(services, shell, await findUser(services, email), request)
  const invited = isInvited ? ' A mail asks for a new password.' : ''
  console.log(request.isGranted ? `${email} is ${role} now.${invited}` : `${email} is no ${role} any more.`)
}

async function rotateKey(): Promise<void> {
  await using open = await openShell()
  await rotateSigningKey(open.services)
  console.log(`The new key signs in ${leadMs / 1000} seconds. Sessions go on.`)
}

function isRole(text: string): text is Role {
  return roles.some((role) => role === text)
}

async function printSetupLink(services: Shop): Promise<void> {
  if (await hasAdmin(services.db)) throw operationProblem('setup.finished')
  console.log(await createSetupLink(services))
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
