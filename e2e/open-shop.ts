// A journey's shop: the real server on a folder and a database of its own, its stand-in for Stripe, and the mails it writes.
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createTestDatabase } from '#test/database.ts'
import { openMailbox, readOutbox, type Mailbox } from '#test/mailbox.ts'
import { memoryFolder } from '#test/memory-folder.ts'
import { startShop } from '#test/running-shop.ts'
import { startStripe, type StripeStandIn } from '@lectern/stripe-stand-in'

export type Shop = { url: string; dataDir: string; databaseUrl: string; mailbox: Mailbox }

export type ShopOptions = { takesMoney: boolean; settings: Record<string, string> }

export type VisitedShop = { shop: Shop; stripe: StripeStandIn }

type OpenShop = AsyncDisposable & VisitedShop

/** They stay open until their worker ends. One that had a key of Stripe sells nothing without it, so there are two. */
export const sharedShops = { free: 'the shared shop', paid: 'the shared shop that takes money' }

const isShared = (name: string) => Object.values(sharedShops).includes(name)

/**
 * The shops of a worker: the shared ones stay open, of the others the latest. Were they options of the worker, each would
 * have a process of Playwright and a browser of its own: 2 s of a core.
 */
export function createShops() {
  const shops = new Map<string, OpenShop>()

  async function close(stays: (name: string) => boolean): Promise<void> {
    for (const [name, each] of shops) {
      if (stays(name)) continue
      shops.delete(name)
      await each[Symbol.asyncDispose]()
    }
  }

  async function open(name: string, options: ShopOptions): Promise<VisitedShop> {
    await close((each) => each === name || isShared(each))
    const shop = shops.get(name) ?? (await openShop(options))
    shops.set(name, shop)
    return shop
  }

  return { open, [Symbol.asyncDispose]: () => close(() => false) }
}

async function openShop({ takesMoney, settings }: ShopOptions): Promise<OpenShop> {
  await using undo = new AsyncDisposableStack()
  const stripe = undo.use(await startStripe())
  const dataDir = await mkdtemp(join(memoryFolder(), 'lectern-journey-'))
  undo.defer(() => rm(dataDir, { recursive: true, force: true }))
  const { url: databaseUrl } = undo.use(await createTestDatabase())
  const env = {
    DATABASE_URL: databaseUrl,
    // What a variable sets no journey can change. The default is the same address.
    SITE_URL: '',
    // The mail servers of the journeys are on this machine.
    SMTP_PRIVATE_HOSTS: 'on',
    STRIPE_API_BASE: stripe.url,
    ...(takesMoney && stripe.env),
    ...settings,
  }
  const server = undo.use(await startShop(dataDir, { env, host: 'localhost', isShown: true }))
  stripe.setWebhookUrl(`${server.url}/api/stripe/webhook`)
  const shop = {
    url: server.url,
    dataDir,
    databaseUrl,
    mailbox: openMailbox(() => readOutbox(join(dataDir, 'outbox'))),
  }
  const stack = undo.move()
  return { shop, stripe, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}
