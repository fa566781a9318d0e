// The package as an author gets it: packed, and installed into an empty folder that has no checkout around it.
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '#test/find-free-port.ts'
import { openMailbox, readOutbox } from '#test/mailbox.ts'
import { startProcess, untilReady } from '#test/start-process.ts'
import { startStripe } from '@lectern/stripe-stand-in'
import type { VisitedShop } from './open-shop.ts'
import { expect, test as base } from './shop.ts'

const root = join(import.meta.dirname, '..')

type Run = ReturnType<typeof startProcess>

export type Installed = {
  folder: string
  tarball: string
  /** The installed command, which finds and keeps its data in `cwd`. */
  lectern(cwd: string, settings: Record<string, string>, ...args: string[]): Run
}

type Fixtures = {
  /** The settings of the shop that is visited, for commands beside it. */
  shopSettings: Record<string, string>
}
type WorkerFixtures = {
  installed: Installed
  installedShop: VisitedShop & Fixtures
}

/** Beside the installed package, `shop` is one of it that runs on its own database and takes money. */
export const test = base.extend<Fixtures, WorkerFixtures>({
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
  installedShop: [
    async ({ installed }, give) => {
      await using stripe = await startStripe()
      await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-installed-'))
      const port = String(await findFreePort())
      const url = `http://localhost:${port}`
      const shopSettings = { PORT: port, STRIPE_API_BASE: stripe.url, ...stripe.env }
      stripe.setWebhookUrl(`${url}/api/stripe/webhook`)
      await using server = installed.lectern(folder.path, shopSettings)
      await untilReady(`${url}/api/ready`, server)
      const dataDir = join(folder.path, 'data')
      const shop = {
        url,
        dataDir,
        databaseUrl: '',
        mailbox: openMailbox(() => readOutbox(join(dataDir, 'outbox'))),
      }
      await give({ shop, stripe, shopSettings })
      expect(await server.stop()).toMatchObject({ code: 0 })
    },
    { scope: 'worker' },
  ],
  running: ({ installedShop }, give) => give(installedShop),
  shopSettings: ({ installedShop }, give) => give(installedShop.shopSettings),
})

export async function npm(cwd: string, ...args: string[]) {
  const ended = await startProcess('npm', args, { cwd }).ended
  expect(ended).toMatchObject({ code: 0 })
  return ended
}
