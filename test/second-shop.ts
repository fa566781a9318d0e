// Another process's shop on the same database: it shares nothing in memory with the first.
import { readConfig } from '../src/config.ts'
import { startShop } from '../src/start-shop.ts'
import type { Shop } from '../src/shop.ts'
import { findFreePort } from './find-free-port.ts'
import { rememberingPasswords } from './passwords.ts'
import type { TestShop } from './shop.ts'
import { withoutPages } from './without-pages.ts'

export type SecondShop = AsyncDisposable & { url: string; services: Shop }

/** `env` adds to the settings of the first one's environment. */
export async function openSecondShop(
  { services }: Pick<TestShop, 'services'>,
  { env }: { env?: Record<string, string> } = {},
): Promise<SecondShop> {
  const { config, database, log, clock } = services
  const port = await findFreePort()
  const overrides = { ...config.overrides, ...(env && readConfig(env).overrides) }
  const { shop, stop } = await startShop(
    { ...config, port, overrides },
    {
      log,
      databaseUrl: database.url,
      clock,
      passwords: rememberingPasswords,
      openPages: withoutPages,
      hasWorkers: false,
    },
  )
  return { url: `http://127.0.0.1:${port}`, services: shop, [Symbol.asyncDispose]: stop }
}
