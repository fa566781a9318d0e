// The built shop in a process of its own, which can be killed and started again on the same data.
import type { StdioNull } from 'node:child_process'
import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from './find-free-port.ts'
import { killAll, processesIn } from './postgres-owner.ts'
import { startProcess, untilReady, type ChildProcess } from './start-process.ts'
import type { Random } from './torture/random.ts'

export const admin = { email: 'author@example.com', password: 'the author herself' }

export const victims = ['the server', 'PostgreSQL', 'a process of PostgreSQL', 'both'] as const
export type Victim = (typeof victims)[number]

const checkout = join(import.meta.dirname, '..')

export type RunningShop = AsyncDisposable & {
  url: string
  /** Of the server that runs now. */
  pid(): number
  pid(): number
  /** SIGKILL; what does not come back by itself is started again at once. Milliseconds until the shop was ready. */
  kill(victim: Victim, random: Random): Promise<number>
  /** The code it exits with. */
  stop(signal?: 'SIGTERM' | 'SIGINT'): Promise<number | null>
}

type Options = {
  env?: Record<string, string>
  host?: string
  /** A free one unless said otherwise. */
  port?: number
  /** The folder whose `dist` runs; this checkout unless said otherwise. */
  root?: string
  /** Its output goes to that of this process, rather than to `server.log` in its folder. */
  isShown?: boolean
  /** What responds with 200 once the shop has started. */
  readyPath?: string
}

type LaunchOptions = Pick<Options, 'env' | 'root'> & { output?: StdioNull | number }

/** The process, which is not ready yet. Its output is captured unless it goes elsewhere. */
export function launchShop(
  dataDir: string,
  url: string,
  { env = {}, root = checkout, output }: LaunchOptions = {},
): ChildProcess {
  const { hostname, port } = new URL(url)
  return startProcess(process.execPath, ['dist/server/main.js'], {
    cwd: root,
    ...(output !== undefined && { stdout: output, stderr: output }),
    env: {
      NODE_ENV: 'production',
      PORT: port,
      HOST: hostname,
      SITE_URL: url,
      DATA_DIR: dataDir,
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      RATE_LIMIT: 'off',
      ...env,
    },
  })
}

export async function startShop(
  dataDir: string,
  {
    env = {},
    host = '127.0.0.1',
    port: given,
    root = checkout,
    isShown = false,
    readyPath = '/api/ready',
  }: Options = {},
): Promise<RunningShop> {
  const port = given ?? (await findFreePort())
  const url = `http://${host}:${port}`
  const output = isShown ? 'inherit' : openSync(join(dataDir, 'server.log'), 'a')
  const start = () =>
    launchShop(dataDir, url, { root, output, env: { LOG_LEVEL: isShown ? 'warn' : 'info', ...env } })
  let server = start()
  await untilReady(`${url}${readyPath}`, server)
  return {
    url,
    pid: () => server.pid,
    async kill(victim, random) {
      const since = Date.now()
      if (victim !== 'the server') killPostgres(dataDir, victim === 'a process of PostgreSQL', random)
      if (victim === 'the server' || victim === 'both') {
        await server.stop('SIGKILL')
        server = start()
      }
      // Backends go on for a moment without their postmaster.
      await sleep(200)
      await untilReady(`${url}/api/ready`, server)
      return Date.now() - since
    },
    async stop(signal) {
      return (await server.stop(signal)).code
    },
    async [Symbol.asyncDispose]() {
      await server.stop()
    },
  }
}

function killPostgres(dataDir: string, isAny: boolean, random: Random): void {
  const clusterDir = join(dataDir, 'postgres/cluster')
  const postmaster = Number.parseInt(readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8'), 10)
  const others = processesIn(clusterDir).filter((pid) => pid !== postmaster)
  killAll([isAny && others.length > 0 ? random.of(others) : postmaster])
}
