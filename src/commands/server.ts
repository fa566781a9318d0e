// A server as deploy/install.sh sets it up: releases side by side, a link to the one in use, a unit of systemd, Caddy.
import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  createReadStream,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { readdir, rename, rm, symlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import { basename, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { z } from 'zod'
import { lockFolder } from '@lectern/postgres'
import type { Config } from '../config.ts'
import type { Server } from './change-over.ts'
import { minuteMs } from '#contract/durations.ts'

export const prefix = '/opt/lectern'
export const home = '/var/lib/lectern'
export const unitFiles = ['service', 'socket'].map((kind) => `/etc/systemd/system/lectern.${kind}`)
const user = 'lectern'
const releases = join(prefix, 'releases')
const current = join(prefix, 'current')
/** This link leads to the release that was in use before while a change is under way. */
const former = join(prefix, 'former')
const shopUrl = 'http://127.0.0.1:3000'
/** A migration may take minutes. A shop that ends is noticed at once. */
const openMs = 10 * minuteMs
const trialMs = 180_000

const run = promisify(execFile)
const maxBuffer = 16 * 1024 * 1024

const packageOf = (release: string) => join(releases, release, 'node_modules/lectern')

/** Nothing of this process's own settings, which may be anything. */
function environment(env: Record<string, string> = {}): NodeJS.ProcessEnv {
  const passed = [
    'LANG',
    'LC_ALL',
    'HTTP_PROXY',
    'HTTPS_PROXY',
    'NO_PROXY',
    'http_proxy',
    'https_proxy',
    'no_proxy',
  ]
  const inherited = passed.flatMap((name) => {
    // oxlint-disable-next-line no-process-env -- how npm reaches its registry; no setting of the shop
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    ...Object.fromEntries(inherited),
    ...env,
  }
}

export function requireServer(): void {
  if (!existsSync(current) || !unitFiles.every((file) => existsSync(file)))
    throw new Error(
      `This shop was not installed by install.sh: there is no ${current}. docs/operations.md says how it is upgraded.`,
    )
  if (process.getuid?.() !== 0) throw new Error('Run this as root.')
}

/** Throws where another upgrade is under way. */
export function lockUpgrades(): Disposable {
  return lockFolder(prefix, 'Another upgrade is under way. The shop was not touched.')
}

/** Throws while a visitor would start the shop in the middle of a command that needs it stopped. */
export async function requireClosedSocket({ dataDir }: Pick<Config, 'dataDir'>): Promise<void> {
  const isHere = process.cwd() === home || dataDir.startsWith(`${home}/`)
  if (!existsSync(current) || !isHere || basename(dataDir) === copyName) return
  const isActive = await systemctl('is-active', '--quiet', 'lectern.socket').then(
    () => true,
    () => false,
  )
  if (isActive)
    throw new Error(
      'The next visitor would start the shop while this runs. Run "systemctl stop lectern.socket" first, which stops the shop, too, and "systemctl start lectern" afterwards. Nothing was changed.',
    )
}

/** Signals go to it alone; it ends with this process, however that ends. */
function spawnAsShop(release: string, args: readonly string[], env: Record<string, string> = {}) {
  const program = join(packageOf(release), 'deploy/lectern')
  const who = [`--reuid=${user}`, `--regid=${user}`, '--init-groups', '--pdeathsig=TERM']
  return spawn('setpriv', [...who, program, ...args], {
    cwd: home,
    detached: true,
    env: environment({ HOME: home, ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Returns what it has printed. Throws its message where it fails. */
export async function runAsShop(
  release: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<string> {
  const child = spawnAsShop(release, args, env)
  const printed = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => void (printed[name] += text))
  const [code] = await once(child, 'close')
  if (code === 0) return printed.stdout
  throw new Error(
    lastLines(printed.stderr || printed.stdout) || `lectern ${args.join(' ')} ended with ${code}`,
  )
}

function lastLines(text: string): string {
  return text.trim().split('\n').slice(-8).join('\n')
}

const copyName = 'upgrade-copy'

/** A copy of the shop in its data folder: nothing of it reaches a database, a bucket, a mail server or Stripe. */
export function copyOf(dataDir: string) {
  const folder = join(dataDir, copyName)
  const without = [
    'DATABASE_URL',
    'STORAGE_URL',
    'BACKUP_URL',
    'BACKUP_PING_URL',
    'BACKUP_PASSPHRASE',
    'BACKUP_PRIVATE_HOSTS',
    'SMTP_URL',
    'WEBHOOK_PRIVATE_HOSTS',
    'CONTACT_FORM_URL',
  ]
  const unset = [...without, 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'ADMIN_EMAIL', 'ADMIN_PASSWORD']
  const env: Record<string, string> = {
    ...Object.fromEntries(unset.map((name) => [name, ''])),
    DATA_DIR: folder,
    SITE_URL: 'https://copy.invalid',
  }
  return { folder, backups: join(folder, 'backups'), env }
}

export type Trial = AsyncDisposable & {
  check(path: string): Promise<void>
  signIn(account: { email: string; password: string }): Promise<void>
}

/** Resolves once it is ready, at a port that nothing else knows. It sends and settles nothing. */
export async function startTrial(release: string, env: Record<string, string> = {}): Promise<Trial> {
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const settings = { PORT: String(port), HOST: '127.0.0.1', DRAIN_SECONDS: '0', LOG_LEVEL: 'info', ...env }
  const child = spawnAsShop(release, ['start', '--without-work'], settings)
  const ended = once(child, 'exit')
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => void (output = (output + text).slice(-8_000)))
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    await ended
  }
  const trial = {
    check: (path: string) => checkPage(url, path, 20_000),
    async signIn(account: { email: string; password: string }) {
      const response = await fetch(`${url}/auth/v1/token?grant_type=password`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(account),
        signal: AbortSignal.timeout(20_000),
      })
      const session = z
        .object({ access_token: z.string() })
        .safeParse(await response.json().catch(() => ({})))
      if (!session.success) throw new Error(`a sign-in responds with ${response.status}`)
    },
    [Symbol.asyncDispose]: stop,
  }
  const deadline = Date.now() + trialMs
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`it does not start:\n${lastLines(output)}`)
    const fault = await trial.check('/api/ready').then(() => undefined, String)
    if (!fault) return trial
    if (Date.now() > deadline) {
      await stop()
      throw new Error(`it is not ready after ${trialMs / 1_000} s (${fault}):\n${lastLines(output)}`)
    }
    await sleep(50)
  }
}

async function checkPage(url: string, path: string, timeoutMs: number): Promise<void> {
  const response = await fetch(`${url}${path}`, { signal: AbortSignal.timeout(timeoutMs) })
  await response.arrayBuffer()
  if (response.status !== 200) throw new Error(`${path} responds with ${response.status}`)
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('There is no free port.')
  server.close()
  await once(server, 'close')
  return address.port
}

/** Throws where the file is none. */
async function nameRelease(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  const { stdout } = await run('tar', ['-xzOf', file, 'package/package.json'], { maxBuffer })
  const about = z.object({ name: z.literal('lectern'), version: z.string().regex(/^[\w.+-]+$/) })
  const { version } = about.parse(JSON.parse(stdout))
  return `${version}-${hash.digest('hex').slice(0, 8)}`
}

export const removeRelease = (release: string) =>
  rm(join(releases, release), { recursive: true, force: true })

/** Unpacks it beside the others; a folder with its name is whole. */
export async function openRelease(release: string, file: string): Promise<void> {
  const folder = join(releases, release)
  if (existsSync(folder)) return
  const unfinished = join(releases, '.unfinished')
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true, mode: 0o755 })
  const flags = ['--omit=dev', '--no-audit', '--no-fund', '--loglevel=error']
  await run('npm', ['install', '--prefix', unfinished, ...flags, resolve(file)], {
    env: environment({ HOME: '/root' }),
    maxBuffer,
  })
  renameSync(unfinished, folder)
}

export type InstalledServer = Server & {
  releaseIn(file: string): Promise<string>
  /** All others but these are removed. */
  removeOthers(retained: readonly string[]): Promise<void>
}

export function openServer(): InstalledServer {
  process.umask(0o022)
  return {
    release: () => basename(readlinkSync(current)),
    async link(release) {
      await installUnitsOf(release)
      await pointTo(release, current)
    },
    former: () => (existsSync(former) ? basename(readlinkSync(former)) : undefined),
    async setFormer(release) {
      if (release === undefined) await rm(former, { force: true })
      else await pointTo(release, former)
    },
    async restart() {
      await systemctl('restart', 'lectern')
      await untilOpen()
      await checkPage(shopUrl, '/', 20_000)
    },
    releaseIn: (file) =>
      nameRelease(file).catch((cause: unknown) => {
        throw new Error(`${file} is no package of Lectern.`, { cause })
      }),
    async removeOthers(retained) {
      for (const name of await readdir(releases))
        if (!retained.includes(name)) await rm(join(releases, name), { recursive: true, force: true })
    },
  }
}

/** The link changes at once or not at all. */
async function pointTo(release: string, path: string): Promise<void> {
  await rm(`${path}.new`, { force: true })
  await symlink(join('releases', release), `${path}.new`)
  await rename(`${path}.new`, path)
}

/** Ctrl-C in the terminal does not reach it. */
const systemctl = (...args: string[]) => run('setsid', ['--wait', 'systemctl', ...args])

async function untilOpen(): Promise<void> {
  const deadline = Date.now() + openMs
  const isReady = () =>
    checkPage(shopUrl, '/api/ready', 1_000).then(
      () => true,
      () => false,
    )
  while (!(await isReady())) {
    const { stdout } = await systemctl('show', '--property', 'SubState', '--property', 'NRestarts', 'lectern')
    // systemd starts it again and again.
    if (!/^SubState=running$/m.test(stdout) || !/^NRestarts=0$/m.test(stdout))
      throw new Error('it does not start; journalctl -u lectern says why')
    if (Date.now() > deadline) throw new Error(`it is not ready after ${openMs / minuteMs} minutes`)
    await sleep(50)
  }
}

/** A unit that was changed by hand stays. */
async function installUnitsOf(release: string): Promise<void> {
  const read = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined)
  const inUse = basename(readlinkSync(current))
  for (const file of unitFiles) {
    const unitOf = (name: string) => read(join(packageOf(name), 'deploy', basename(file)))
    const next = unitOf(release)
    if (!next || read(file) === next || read(file) !== unitOf(inUse)) continue
    writeFileSync(`${file}.new`, next)
    renameSync(`${file}.new`, file)
  }
  await systemctl('daemon-reload')
}
