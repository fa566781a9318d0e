// The shop as it runs in earnest, in processes of its own that can be killed and started again on the same data.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { cleanEnvironment } from '../environment.ts'
import { killAll, processesIn } from '../postgres-owner.ts'
import type { Random } from './random.ts'

export const admin = { email: 'author@books.example', password: 'correct horse' }

export const victims = ['the server', 'PostgreSQL', 'a process of PostgreSQL', 'both'] as const
type Victim = (typeof victims)[number]

const root = join(import.meta.dirname, '../..')
const patienceMs = 60_000

export type RunningShop = {
  url: string
  /** SIGKILL; what does not come back by itself is started again at once. Milliseconds until the shop was ready. */
  kill(victim: Victim, random: Random): Promise<number>
  /** The code it exits with. */
  stop(signal?: 'SIGTERM' | 'SIGINT'): Promise<number | null>
}

export async function startShop(dataDir: string, env: Record<string, string> = {}): Promise<RunningShop> {
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const clusterDir = join(dataDir, 'postgres/cluster')
  const output = openSync(join(dataDir, 'server.log'), 'a')
  let server = start()
  // Whatever becomes of us, no shop is left behind; its database goes with it.
  process.on('exit', () => server.kill('SIGKILL'))

  function start(): ChildProcess {
    return spawn(process.execPath, ['build/shop/main.js'], {
      cwd: root,
      stdio: ['ignore', output, output],
      env: cleanEnvironment({
        NODE_ENV: 'production',
        PORT: String(port),
        HOST: '127.0.0.1',
        SITE_URL: url,
        DATA_DIR: dataDir,
        ADMIN_EMAIL: admin.email,
        ADMIN_PASSWORD: admin.password,
        RATE_LIMIT: 'off',
        LOG_LEVEL: 'info',
        ...env,
      }),
    })
  }

  async function untilReady(since = Date.now()): Promise<number> {
    while (Date.now() - since < patienceMs) {
      if (server.exitCode !== null)
        throw new Error(`the server ended with ${server.exitCode}: see server.log`)
      const response = await fetch(`${url}/api/ready`, { signal: AbortSignal.timeout(2_000) }).catch(
        () => undefined,
      )
      if (response?.ok) return Date.now() - since
      await sleep(20)
    }
    throw new Error('the shop did not come back within a minute: see server.log')
  }

  function killPostgres(isAny: boolean, random: Random): void {
    const postmaster = Number.parseInt(readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8'), 10)
    const others = processesIn(clusterDir).filter((pid) => pid !== postmaster)
    const pid = isAny && others.length > 0 ? random.of(others) : postmaster
    killAll([pid])
  }

  await untilReady()
  return {
    url,
    async kill(victim, random) {
      const since = Date.now()
      if (victim !== 'the server') killPostgres(victim === 'a process of PostgreSQL', random)
      if (victim === 'the server' || victim === 'both') {
        const gone = once(server, 'exit')
        server.kill('SIGKILL')
        await gone
        server = start()
      }
      // Backends go on for a moment without their postmaster.
      await sleep(200)
      return untilReady(since)
    },
    async stop(signal = 'SIGTERM') {
      const gone = once(server, 'exit')
      server.kill(signal)
      const [code] = (await gone) as [number | null]
      return code
    },
  }
}

export function findFreePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
}
