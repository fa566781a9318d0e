// Child processes of the bench: the shop, the baselines, the load. Each on its own, so that none measures itself.
import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { cleanEnvironment } from '../test/environment.ts'
import manifest from '../package.json' with { type: 'json' }

/** Every process that is under way. A signal to the bench ends them; a second one does not wait for them. */
const children = new Set<ChildProcess>()
const folders = new Set<string>()

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void endAll())

async function endAll(): Promise<never> {
  await Promise.all([...children].map(stop))
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  process.exit(130)
}

/** In a process group of its own: what the terminal's Ctrl-C reaches is the bench alone. */
function start(command: string, args: string[], options: SpawnOptions): ChildProcess {
  const child = spawn(command, args, { ...options, detached: true })
  children.add(child)
  child.on('exit', () => children.delete(child))
  return child
}

export type Shop = AsyncDisposable & { url: string; pid: number; dataDir: string; readyMs: number }

export const admin = { email: 'author@example.com', password: 'the author herself' }

export async function startShop(
  dataDir = temporaryFolder(),
  env: Record<string, string> = {},
): Promise<Shop> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const since = performance.now()
  const server = start(manifest.scripts.start, [], {
    shell: true,
    env: cleanEnvironment({
      RATE_LIMIT: 'off',
      LOG_LEVEL: 'error',
      PORT: String(port),
      SITE_URL: url,
      DATA_DIR: dataDir,
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      ...env,
    }),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await untilReady(`${url}/api/ready`, server)
  return {
    url,
    pid: server.pid!,
    dataDir,
    readyMs: performance.now() - since,
    [Symbol.asyncDispose]: () => stop(server),
  }
}

/** A program of bench/baselines that serves on the port it is given. */
export async function startBaseline(
  name: string,
  ...args: string[]
): Promise<AsyncDisposable & { url: string; readyMs: number }> {
  const port = await freePort()
  const since = performance.now()
  const server = start(process.execPath, [programOf(name), String(port), ...args], {
    env: cleanEnvironment({ NODE_COMPILE_CACHE: 'dist/compiled' }),
    stdio: 'inherit',
  })
  const url = `http://127.0.0.1:${port}`
  await untilReady(url, server)
  return { url, readyMs: performance.now() - since, [Symbol.asyncDispose]: () => stop(server) }
}

/** A program of bench/baselines that prints one JSON document. */
export async function runProgram<Answer>(name: string, input: unknown): Promise<Answer> {
  const child = start(process.execPath, [programOf(name), JSON.stringify(input)], {
    env: cleanEnvironment({ NODE_COMPILE_CACHE: 'dist/compiled' }),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [said, [code]] = await Promise.all([text(child.stdout!), once(child, 'exit')])
  if (code !== 0) throw new Error(`${name} ended with ${code}`)
  return JSON.parse(said) as Answer
}

export type Load = {
  url: string
  connections: number
  seconds: number
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
  /** A fresh Idempotency-Key with each request. */
  hasKeys?: boolean
  /** Of several people, who ask in turns. */
  tokens?: string[]
  /** Signed Stripe events, each of its own, in place of headers and body. */
  isWebhook?: boolean
  /** At most fifty a second. */
  isPaced?: boolean
}
export type LoadResult = { perSecond: number; p99: number; failures: number }

export async function load(wanted: Load): Promise<LoadResult> {
  return complete(wanted, await runProgram<LoadResult>('load', wanted))
}

/** Of one GET whose answers are all of the same length; takes a fraction of the work of `load`. Knows no latencies. */
export async function repeat(wanted: Load): Promise<Omit<LoadResult, 'p99'>> {
  return complete(wanted, await runProgram('repeat', wanted))
}

function complete<Result extends Omit<LoadResult, 'p99'>>(wanted: Load, result: Result): Result {
  if (result.failures > 0) throw new Error(`${result.failures} requests to ${wanted.url} failed`)
  return result
}

/** Resident memory in MB, now or at its peak since `resetPeak`. */
export function memoryOf(pid: number, which: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  const kilobytes = new RegExp(`${which}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1024
}

export function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-'))
  folders.add(folder)
  return folder
}

export function forget(shop: Shop): void {
  folders.delete(shop.dataDir)
  rmSync(shop.dataDir, { recursive: true, force: true })
}

const programOf = (name: string) => fileURLToPath(new URL(`baselines/${name}.ts`, import.meta.url))

async function untilReady(url: string, server: ChildProcess): Promise<void> {
  while (server.exitCode === null) {
    const isReady = await fetch(url).then(
      (response) => response.ok,
      () => false,
    )
    if (isReady) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error(`${url} never came up`)
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  server.kill('SIGTERM')
  await once(server, 'exit')
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  return port
}

/** The shop's embedded database, as the shop itself reaches it. */
export function databaseUrlOf({ dataDir }: Pick<Shop, 'dataDir'>): string {
  const folder = join(dataDir, 'postgres')
  const password = readFileSync(join(folder, 'password'), 'utf8').trim()
  return `postgres://lectern:${password}@localhost/postgres?host=${encodeURIComponent(join(folder, 'cluster'))}&port=5432`
}

export async function signIn({ url }: Pick<Shop, 'url'>, person = admin): Promise<string> {
  const response = await fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(person),
  })
  return ((await response.json()) as { access_token: string }).access_token
}
