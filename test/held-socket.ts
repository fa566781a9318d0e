// The built shop on a socket that another process holds and hands on, as systemd does on a server.
import { existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from './find-free-port.ts'
import { admin } from './running-shop.ts'
import { startProcess, untilReady } from './start-process.ts'

const checkout = join(import.meta.dirname, '..')
const program = join(import.meta.dirname, 'torture/debian/hold-socket')

type HeldShop = AsyncDisposable & {
  url: string
  /** Of the shop; 0 where it does not run. */
  pid(): number
  start(): void
  /** Resolves once the shop has ended. */
  stop(): Promise<void>
  log(): string
}

/** Resolves once the shop is ready. */
export async function startHeldShop(
  dataDir: string,
  { root = checkout, env = {} }: { root?: string; env?: Record<string, string> } = {},
): Promise<HeldShop> {
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const folder = join(dataDir, 'held')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'log')
  const output = openSync(file, 'a')
  const command = [process.execPath, 'dist/server/main.js']
  const holder = startProcess('perl', [program, String(port), folder, ...command], {
    cwd: root,
    stdout: output,
    stderr: output,
    env: {
      NODE_ENV: 'production',
      // Neither is read.
      HOST: '192.0.2.1',
      PORT: '1',
      SITE_URL: url,
      DATA_DIR: dataDir,
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      RATE_LIMIT: 'off',
      LOG_LEVEL: 'info',
      ...env,
    },
  })
  const tell = (line: string) => writeFileSync(join(folder, 'control'), `${line}\n`)
  const pid = () => Number(/MainPID=(\d+)/.exec(readFileSync(join(folder, 'state'), 'utf8'))?.[1] ?? 0)
  while (!existsSync(join(folder, 'state'))) await sleep(20)
  await untilReady(`${url}/api/ready`, holder)
  return {
    url,
    pid,
    start: () => tell('start'),
    async stop() {
      const before = pid()
      tell('stop')
      while (pid() === before) await sleep(5)
    },
    log: () => readFileSync(file, 'utf8'),
    async [Symbol.asyncDispose]() {
      tell('end')
      await holder.ended
    },
  }
}
