// A shop whose sweep runs when it is told to.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '../find-free-port.ts'
import { admin } from '../running-shop.ts'
import { startProcess, untilReady } from '../start-process.ts'

export async function startHourlyShop(dataDir: string, env: Record<string, string>) {
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const server = startProcess(
    process.execPath,
    ['--expose-gc', join(import.meta.dirname, 'hourly-shop.ts')],
    {
      cwd: join(import.meta.dirname, '../..'),
      env: {
        NODE_ENV: 'production',
        PORT: String(port),
        HOST: '127.0.0.1',
        SITE_URL: url,
        DATA_DIR: dataDir,
        ADMIN_EMAIL: admin.email,
        ADMIN_PASSWORD: admin.password,
        RATE_LIMIT: 'off',
        LOG_LEVEL: 'warn',
        ...env,
      },
    },
  )
  await untilReady(`${url}/api/ready`, server)
  const swept = () => [...server.stdout().matchAll(/^swept (\d+)$/gm)].map(([, bytes]) => Number(bytes))
  return {
    url,
    pid: server.pid,
    /** Bytes in use on the heap afterwards. */
    async sweep(): Promise<number> {
      const before = swept().length
      process.kill(server.pid, 'SIGUSR2')
      for (;;) {
        const bytes = swept()[before]
        if (bytes !== undefined) return bytes
        if (!server.isRunning()) throw new Error(`the shop ended. ${server.stderr()}`)
        await sleep(20)
      }
    },
    stop: async () => (await server.stop()).code,
    [Symbol.asyncDispose]: async () => void (await server.stop()),
  }
}
