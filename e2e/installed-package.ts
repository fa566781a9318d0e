// The package as an author gets it: packed, and installed into an empty folder that has no checkout around it.
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '#test/find-free-port.ts'
import { openMailbox } from '#test/mailbox.ts'
import { startProcess, untilReady } from '#test/start-process.ts'
import { expect, test as base } from './shop.ts'

const root = join(import.meta.dirname, '..')

type Run = ReturnType<typeof startProcess>

export type Installed = {
  folder: string
  tarball: string
  /** The installed command, which finds and keeps its data in `cwd`. */
  lectern(cwd: string, settings: Record<string, string>, ...args: string[]): Run
}

type WorkerFixtures = {
  installed: Installed
  /** The settings of the shop that is visited, for commands beside it. */
  shopSettings: Record<string, string>
}

/** Beside the installed package, `shop` is one of it that runs on its own database and takes money. */
export const test = base.extend<object, WorkerFixtures>({
  installed: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern
    async ({}, give) => {
      await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-package-'))
      const packed = await npm(root, 'pack', '--ignore-scripts', '--pack-destination', folder.path)
      const tarball = packed.stdout.trim()
      await npm(folder.path, 'install', '--prefer-offline', '--no-audit', `./${tarball}`)
      const command = join(folder.path, 'node_modules/.bin/lectern')
      await give({
        folder: folder.path,
        tarball: join(folder.path, tarball),
        lectern: (cwd, env, ...args) => startProcess(command, args, { cwd, env }),
      })
    },
    { scope: 'worker' },
  ],
  shopSettings: [
    async ({ stripe }, give) => {
      await give({ PORT: String(await findFreePort()), STRIPE_API_BASE: stripe.url, ...stripe.env })
    },
    { scope: 'worker' },
  ],
  shop: [
    async ({ installed, stripe, shopSettings }, give) => {
      await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-installed-'))
      const url = `http://localhost:${shopSettings['PORT']}`
      stripe.setWebhookUrl(`${url}/api/stripe/webhook`)
      await using server = installed.lectern(folder.path, shopSettings)
      await untilReady(`${url}/api/ready`, server)
      const dataDir = join(folder.path, 'data')
      await give({ url, dataDir, databaseUrl: '', mailbox: openMailbox(join(dataDir, 'outbox')) })
      expect(await server.stop()).toMatchObject({ code: 0 })
    },
    { scope: 'worker' },
  ],
})

export async function npm(cwd: string, ...args: string[]) {
  const ended = await startProcess('npm', args, { cwd }).ended
  expect(ended).toMatchObject({ code: 0 })
  return ended
}
