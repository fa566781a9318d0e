// What `lectern check` looks at. It sends no mail, and leaves nothing at Stripe but checkouts that it has ended.
import { failureReason } from '#platform/errors.ts'
import { lookup } from 'node:dns/promises'
import { connect } from 'node:tls'
import { askOwnAddress } from '#platform/http/health.ts'
import { type Secret, isSecretFile } from '#platform/secret.ts'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { listShopFiles } from '#domains/backup/backup-tables.ts'
import { databaseAhead } from '#platform/clock-watch.ts'
import type { Database, Db } from '#platform/db/client.ts'
import {
  compareSchema,
  mayCreateTables,
  missingRights,
  readServerVersion,
  tooOld,
} from '#platform/db/migrate.ts'
import { type Storage, incomingFolder } from '#platform/storage.ts'
import type { Config } from '../config.ts'
import { statfs } from 'node:fs/promises'
import { dataFolders } from '#platform/data-folders.ts'
import { sizeOf } from './shell.ts'
import { explainRefusal } from '#domains/mail/mail-trial.ts'
import { webhookAt } from '#domains/settings/payment-setup.ts'
import { logInToMailServer } from '#platform/mail.ts'
import type { Settings } from '#platform/settings.ts'
import { paymentKeys } from '#platform/stripe/payments.ts'
import { randomBytes, randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { refuseForeignTarget, type BackupTarget } from '#domains/backup/backup-targets.ts'
import { readBackupStates, type BackupState } from '#domains/backup/backup-runs.ts'
import { momentOf } from '#domains/backup/backup-store.ts'

/** `wrong` is what stops sales, mail or saving. `open` could not be looked at. */
type State = 'ok' | 'warn' | 'wrong' | 'open'

type Verdict = { state: State; says: string; advice?: string }

type Finding = Verdict & { name: string }

export const ok = (says: string): Verdict => ({ state: 'ok', says })
export const warn = (says: string, advice: string): Verdict => ({ state: 'warn', says, advice })
const wrong = (says: string, advice: string): Verdict => ({ state: 'wrong', says, advice })
export const unknown = (says: string, advice: string): Verdict => ({ state: 'open', says, advice })

export type Report = ReturnType<typeof openReport>

type Check = () => Promise<Verdict> | Verdict

/** A shorter one could be a part of any word. */
const minSecretLength = 4

export function openReport({ isJson }: { isJson: boolean }) {
  const findings: Finding[] = []
  const hidden = new Set<string>()
  const clean = (text: string) => {
    const byLength = [...hidden].toSorted((a, b) => b.length - a.length)
    return byLength
      .reduce((shown, secret) => shown.replaceAll(secret, '[hidden]'), text)
      .replaceAll(/\s*\n\s*/g, ' ')
  }
  const isAllGood = () => findings.every(({ state }) => state !== 'wrong')
  return {
    async add(name: string, check: Check, advice = ''): Promise<void> {
      const verdict = await attempt(check, advice)
      const finding = { name, ...verdict, says: clean(verdict.says) }
      findings.push(finding)
      if (!isJson) console.log(lineOf(finding))
    },
    isAllGood,
    hide(secrets: readonly (string | undefined)[]) {
      for (const secret of secrets) {
        if (!secret || secret.length < minSecretLength) continue
        hidden.add(secret)
        hidden.add(encodeURIComponent(secret))
      }
    },
    end() {
      if (isJson) console.log(JSON.stringify({ is_good: isAllGood(), findings }, undefined, 2))
    },
  }
}

async function attempt(check: Check, advice: string): Promise<Verdict> {
  try {
    return await check()
  } catch (error) {
    return wrong(failureReason(error), advice)
  }
}

function lineOf({ name, state, says, advice }: Finding): string {
  const end = advice ? `${/[.?!]$/.test(says) ? '' : '.'} ${advice}` : ''
  return `${state.padEnd(6)} ${name}: ${says}${end}`
}

const connectMs = 10_000
const dayMs = 86_400_000
/** Let's Encrypt renews 30 days before the end. */
const minDays = 14

export async function checkAddress(siteUrl: string, known: readonly Secret[]): Promise<Verdict> {
  const { hostname } = new URL(siteUrl)
  const isName = await lookup(hostname.replace(/^\[(.+)\]$/, '$1')).then(
    () => true,
    () => false,
  )
  if (!isName)
    return wrong(
      `there is no address for ${hostname}`,
      'Let the name lead to this machine, or correct SITE_URL.',
    )
  const { fault, isProxyIgnored } = await askOwnAddress(siteUrl, known)
  if (fault) return wrong(fault, 'Is the shop running? Else look at its proxy and its firewall.')
  const says = `${siteUrl} leads to this shop`
  if (!isProxyIgnored) return ok(says)
  return warn(
    `${says}, through a proxy that it does not trust, so limits count all visitors as one`,
    'Set TRUST_PROXY=1 (of several proxies in a row, their number), and let the proxy send X-Forwarded-For.',
  )
}

export async function checkEncryption(siteUrl: string): Promise<Verdict> {
  const { protocol, hostname, port } = new URL(siteUrl)
  if (protocol !== 'https:')
    return warn(
      `${siteUrl} does not begin with https`,
      'Others can read what is sent: put a proxy with https in front.',
    )
  const { validTo, fault } = await readCertificate(hostname.replace(/^\[(.+)\]$/, '$1'), Number(port) || 443)
  if (fault) return wrong(`browsers refuse the certificate: ${fault}`, 'Renew it, or correct the name in it.')
  const days = Math.floor((validTo.getTime() - Date.now()) / dayMs)
  const says = `${siteUrl} has a certificate for ${days} more days`
  return days < minDays ? warn(says, 'Look why your proxy has not renewed it.') : ok(says)
}

function readCertificate(host: string, port: number): Promise<{ validTo: Date; fault: string | undefined }> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, servername: host, rejectUnauthorized: false, timeout: connectMs })
    socket.once('secureConnect', () => {
      const { valid_to } = socket.getPeerCertificate()
      const fault = socket.authorized ? undefined : String(socket.authorizationError)
      socket.destroy()
      resolve({ validTo: new Date(valid_to), fault })
    })
    socket.once('timeout', () => socket.destroy(new Error(`${host} does not respond`)))
    socket.once('error', reject)
  })
}

const maxNames = 10
const maxAheadMs = 5 * 60_000

export function requireData({ dataDir, databaseUrl }: Config): void {
  if (!databaseUrl && !existsSync(join(dataDir, 'postgres/cluster')))
    throw new Error(`there is none in ${dataDir} yet; \`lectern start\` makes it`)
}

export async function checkServer({ pool }: Database): Promise<Verdict> {
  const { version, isTooOld } = await readServerVersion(pool)
  if (isTooOld) return wrong(`PostgreSQL ${version} is too old`, 'Lectern needs 15 or newer.')
  if (!(await mayCreateTables(pool))) return wrong(missingRights, '')
  return ok(`PostgreSQL ${version} is reachable`)
}

export async function checkSchema({ pool }: Database): Promise<Verdict> {
  const schema = await compareSchema(pool)
  if (schema === 'newer')
    return wrong(
      'the data are of a newer version of Lectern: use that one',
      'Or restore a backup of this one.',
    )
  if (schema === 'too_old') return wrong(tooOld, '')
  if (schema === 'same') return ok('the data are of this version')
  return ok('the next start brings the data to this version')
}

export async function checkFiles(storage: Storage, { pool }: Database): Promise<Verdict> {
  if ((await compareSchema(pool)) === 'none') return ok('there are none yet')
  const files = await listShopFiles(pool)
  const missing: string[] = []
  for (const { name } of files) if (!(await storage.stat(name))) missing.push(name)
  if (missing.length === 0) return ok(`all ${files.length} are present`)
  const shown = missing.slice(0, maxNames).join(', ')
  const more = missing.length > maxNames ? ` and ${missing.length - maxNames} more` : ''
  return wrong(
    `${missing.length} of ${files.length} are missing: ${shown}${more}`,
    'Restore them from a backup, or upload these ebooks again.',
  )
}

export async function checkClock(database: Database, time_zone: string): Promise<Verdict> {
  const aheadMs = await databaseAhead(database, () => new Date())
  const time = new Date().toLocaleTimeString('sv-SE', {
    timeZone: time_zone,
    hour: '2-digit',
    minute: '2-digit',
  })
  const says = `it is ${time} in ${time_zone}`
  if (Math.abs(aheadMs) <= maxAheadMs) return ok(says)
  const minutes = Math.round(aheadMs / 60_000)
  return warn(`${says}, and the database's clock differs by ${minutes} minutes`, 'Set both by NTP.')
}

const forOthers = 0o077
const minFreeBytes = 64 * 1024 * 1024
const lowFreeBytes = 1024 ** 3

export function isOfAnotherUser(dataDir: string): boolean {
  const result = statSync(dataDir, { throwIfNoEntry: false })
  return result !== undefined && process.getuid !== undefined && result.uid !== process.getuid()
}

export function checkRights(dataDir: string): Verdict {
  if (!existsSync(dataDir)) return unknown(`there is no ${dataDir} yet`, '`lectern start` makes it.')
  if (isOfAnotherUser(dataDir))
    return unknown(
      `${dataDir} belongs to another user`,
      'Run this command as the user that runs the shop: else what it writes may lock the shop out.',
    )
  const secrets = readdirSync(dataDir).filter(isSecretFile)
  const open = [...dataFolders, ...secrets].filter((name) => isOpenToOthers(join(dataDir, name)))
  if (open.length === 0) return ok(`only the shop's user can read ${dataDir}`)
  return warn(
    `other users of this machine can read ${open.join(', ')} in ${dataDir}`,
    `Take their rights away: chmod -R go= ${open.map((name) => join(dataDir, name)).join(' ')}`,
  )
}

function isOpenToOthers(path: string): boolean {
  const result = statSync(path, { throwIfNoEntry: false })
  return result !== undefined && (result.mode & forOthers) !== 0
}

export async function checkDisk(dataDir: string): Promise<Verdict> {
  const result = await statfs(dataDir).catch(() => undefined)
  if (!result)
    return unknown(`the disk of ${dataDir} cannot be asked`, 'The folder is made at the first start.')
  const free = result.bavail * result.bsize
  const says = `${sizeOf(free)} of ${sizeOf(result.blocks * result.bsize)} are free`
  const advice = 'Make room, `lectern tidy` lists what restores and uploads have left, or add a larger disk.'
  if (free < minFreeBytes) return wrong(says, advice)
  return free < lowFreeBytes ? warn(says, advice) : ok(says)
}

type Dependencies = { config: Config; settings: Pick<Settings, 'get'> }

export async function checkMail(dependencies: Dependencies): Promise<Verdict> {
  try {
    if (await logInToMailServer(dependencies)) return ok('the mail server accepts the shop’s login')
    return warn(
      'no mail server is set, so mails stay in DATA_DIR/outbox',
      'Enter one under Settings, Mail, or set SMTP_URL.',
    )
  } catch (error) {
    const { answer, advice } = explainRefusal(error)
    return wrong(`the mail server refuses: ${answer}`, advice)
  }
}

function findKey({ config, settings }: Dependencies) {
  const keys = paymentKeys(settings)
  return keys && { secretKey: keys.secretKey, apiBase: config.stripe.apiBase }
}

export async function checkPayments(dependencies: Dependencies): Promise<Verdict> {
  const key = findKey(dependencies)
  if (!key && dependencies.settings.get().payments.account)
    return wrong(
      'Stripe’s key cannot be read with this AUTH_SECRET',
      'Enter it again under Settings, Payments.',
    )
  if (!key) return warn('no payments are taken', 'Connect Stripe under Settings, Payments.')
  const { inspectKey } = await import('#platform/stripe/account.ts')
  const report = await inspectKey(key)
  if ('refused' in report) return wrong(`Stripe refuses the key: ${report.refused}`, 'Enter another key.')
  if ('missing' in report)
    return wrong(`the key lacks permissions: ${report.missing.join(', ')}`, 'Add them in Stripe’s dashboard.')
  if (!report.takesPayments)
    return wrong(
      `${report.account.name} takes no payments yet`,
      'Complete the account in Stripe’s dashboard.',
    )
  const says = `Stripe takes payments for ${report.account.name}`
  if (paymentKeys(dependencies.settings)?.isLive) return ok(says)
  return warn(`${says}, on test keys: no money is taken`, 'Enter a live key when you open the shop.')
}

/** A buyer of each format would be refused as this is, so the author reads of it before a buyer does. */
export async function checkCheckouts(dependencies: Dependencies, db: Db): Promise<Verdict> {
  const key = findKey(dependencies)
  if (!key) return ok('none is needed')
  const { tryCheckouts } = await import('#domains/payments/trial-checkouts.ts')
  const trials = await tryCheckouts(db, key, dependencies.settings.get())
  const refusals = trials.flatMap(({ name, refused }) => (refused ? [`${name}: ${refused}`] : []))
  if (refusals.length > 0)
    return wrong(
      `Stripe refuses to sell ${refusals.join(' · ')}`,
      'Correct what it names, in the admin area under Settings or in Stripe’s dashboard.',
    )
  if (trials.length === 0) return ok('nothing that costs money is for sale')
  return ok(`Stripe opens the page to pay for ${trials.map(({ name }) => name).join(', ')}`)
}

/** A lost event only delays a purchase: the shop also asks Stripe by itself. */
export async function checkWebhook(dependencies: Dependencies): Promise<Verdict> {
  const key = findKey(dependencies)
  const { shop, payments } = dependencies.settings.get()
  if (!key) return ok('none is needed')
  const { readEndpoints } = await import('#platform/stripe/account.ts')
  const url = webhookAt(shop.site_url)
  const endpoints = await readEndpoints(key, url)
  if (!endpoints)
    return unknown(
      'the key may not read webhook endpoints',
      'Compare them in Stripe’s dashboard with docs/operations.md.',
    )
  const [best] = endpoints.toSorted((a, b) => rank(a) - rank(b))
  const later = 'Until then payments are noticed minutes later.'
  if (!best)
    return warn(`Stripe has none for ${url}`, `Move it under Settings, Payments, or add it there. ${later}`)
  if (!best.isEnabled)
    return warn(`Stripe has disabled the one for ${url}`, `Enable it in Stripe’s dashboard. ${later}`)
  if (best.missingEvents.length > 0)
    return warn(`the one for ${url} lacks ${best.missingEvents.join(', ')}`, `Add these events. ${later}`)
  if (!payments.webhook_secret)
    return warn('its signing secret is not set', `Set STRIPE_WEBHOOK_SECRET, or move the webhook. ${later}`)
  return ok(`Stripe reports payments to ${url}`)
}

type Endpoint = { isEnabled: boolean; missingEvents: string[] }

const rank = ({ isEnabled, missingEvents }: Endpoint) => (isEnabled ? 0 : 100) + missingEvents.length

const maxBackupDays = 2
const maxRehearsalDays = 22

/** A killed process may leave the object, which goes with the next backup. */
export async function checkWriting(storage: Storage, setting: string): Promise<Verdict> {
  const name = `${incomingFolder}check-${randomUUID()}`
  const content = randomBytes(1024)
  try {
    await storage.write(name, content)
    const read = await buffer(await storage.read(name))
    if (!read.equals(content)) return wrong('what was read is not what was written', `Look at ${setting}.`)
  } catch (error) {
    return wrong(failureReason(error), `Look at ${setting}, and at the rights of its user there.`)
  }
  try {
    await storage.remove(name)
    return ok('an object was written, read and removed')
  } catch (error) {
    return warn(
      `nothing can be removed there: ${failureReason(error)}`,
      'Let its user remove objects, or old ones stay for ever.',
    )
  }
}

type BackupCheck = { db: Db | undefined; now: Date; mayBeElsewhere: boolean }

export async function checkBackups(
  place: BackupTarget,
  { db, now, mayBeElsewhere }: BackupCheck,
): Promise<Verdict> {
  if (db) await refuseForeignTarget(db, place)
  const [newest] = await place.list()
  const advice = 'Make one with `lectern backup`, and look at its message.'
  if (!newest) return warn(`there is no backup in ${place.label}`, advice)
  await place.open()
  const days = (now.getTime() - Date.parse(momentOf(newest))) / dayMs
  const { problem } = (db && (await readState(db, place, 'backup'))) ?? {}
  const age = `the newest in ${place.label} is ${ageOf(days)} old`
  const says = problem ? `${problem} (${age})` : age
  if (days <= maxBackupDays && !problem) return ok(says)
  return mayBeElsewhere ? warn(says, advice) : wrong(says, advice)
}

async function readState(db: Db, { label }: BackupTarget, kind: BackupState['kind']) {
  const states = await readBackupStates(db, [label])
  return states.find((state) => state.kind === kind)
}

export async function checkRehearsal(db: Db, place: BackupTarget): Promise<Verdict> {
  const { label } = place
  const last = await readState(db, place, 'rehearsal')
  const advice = 'Rehearse one under Backups in the admin area: that tries a restore.'
  const [problem] = last?.problem?.split('\n') ?? []
  if (problem) return warn(`the last one from ${label} found: ${problem}`, advice)
  if (!last?.succeeded_at) return warn(`no restore from ${label} was tried yet`, advice)
  const days = (last.age_seconds * 1000) / dayMs
  const says = `a restore from ${label} was tried ${ageOf(days)} ago`
  return days > maxRehearsalDays ? warn(says, advice) : ok(says)
}

export async function checkDistance(places: readonly BackupTarget[]): Promise<Verdict> {
  const [, other] = places
  if (!other)
    return warn(
      'all backups are on the disk of the shop',
      'Enter a bucket under Backups in the admin area, or set BACKUP_URL and BACKUP_PASSPHRASE.',
    )
  if (await other.isSameDisk())
    return warn(
      `${other.label} is on the disk of the shop`,
      'Mount another disk there, or name another place.',
    )
  return ok(`${other.label} is on another disk than the shop`)
}

function ageOf(days: number): string {
  const hours = Math.max(0, Math.round(days * 24))
  return hours < 48 ? `${hours} hours` : `${Math.floor(days)} days`
}
