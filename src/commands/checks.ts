// The checks that `lectern check` alone makes, and its report; the domains check what other screens say, too.
import { dayMs, minuteMs } from '#contract/durations.ts'
import { ok, unknown, warn, wrong, type Verdict } from '#contract/checks.ts'
import { joinSentences } from '#contract/verdict-words.ts'
import { filesVerdict } from '#domains/overview/files-check.ts'
import { failureReason } from '#platform/errors.ts'
import { connect } from 'node:tls'
import { isSecretFile } from '#platform/secret.ts'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { listShopFiles } from '#domains/backup/backup-tables.ts'
import { databaseAhead } from '#platform/clock-watch.ts'
import type { Database } from '#platform/db/client.ts'
import {
  compareSchema,
  mayCreateTables,
  missingRights,
  readServerVersion,
  tooOld,
} from '#platform/db/migrate.ts'
import type { Storage } from '#platform/storage.ts'
import { incomingFolder } from '#platform/folder-storage.ts'
import type { Config } from '../config.ts'
import { statfs } from 'node:fs/promises'
import { dataFolders } from '#platform/data-folders.ts'
import { sizeOf } from './shell.ts'
import { randomBytes, randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'

type Finding = Pick<Verdict, 'state' | 'says' | 'advice'> & { name: string }

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
    async add(name: string, check: Check, adviceOfError = ''): Promise<void> {
      const { state, says, answer, advice } = await attempt(check, adviceOfError)
      const words = answer ? joinSentences(says, `It says: ${answer}`) : says
      const finding = { name, state, says: clean(words), advice }
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
  return `${state.padEnd(6)} ${name}: ${advice ? joinSentences(says, advice) : says}`
}

const connectMs = 10_000
/** Let's Encrypt renews 30 days before the end. */
const minDays = 14

/** Takes an address with https. */
export async function checkCertificate(siteUrl: string): Promise<Verdict> {
  const { hostname, port } = new URL(siteUrl)
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

const maxAheadMs = 5 * minuteMs

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
  if (schema === 'newer') return ok('the data are of a newer version, and this one may run on them')
  if (schema === 'too_new')
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
  return filesVerdict(missing, files.length)
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
  const minutes = Math.round(aheadMs / minuteMs)
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
