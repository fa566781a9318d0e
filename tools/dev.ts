// `npm run dev`: the shop, started again whenever its sources change. With `-- --stripe` it takes money, through a
// stand-in for Stripe that runs beside it and outlives the restarts.
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { loadEnvFile, readConfig } from '../src/config.ts'
import { root } from './run.ts'

/** Always the same, so that checkouts of yesterday can be paid today. */
const stripePort = 12_111

// Vite watches src/web.
const server = readdirSync(join(root, 'src')).filter((name) => name !== 'web')
const watched = [...server.map((name) => `src/${name}`), 'packages', 'content'].map(
  (path) => `--watch-path=${path}`,
)
const { values } = parseArgs({ options: { stripe: { type: 'boolean', default: false } } })
const payments = values.stripe ? await openPayments() : {}

const shop = spawn(process.execPath, [...watched, '--watch-preserve-output', 'src/main.ts'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, NODE_ENV: 'development', ...payments },
})
shop.on('exit', (code) => process.exit(code ?? 1))
// A terminal signals both processes; a signal to this one alone is passed on.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => shop.kill('SIGTERM'))

async function openPayments(): Promise<Record<string, string>> {
  loadEnvFile()
  const { port, host = 'localhost', dataDir } = readConfig()
  const { startStripe } = await import('@lectern/stripe-stand-in')
  mkdirSync(dataDir, { recursive: true })
  const stripe = await startStripe({ port: stripePort, savedIn: join(dataDir, 'stripe-stand-in.json') })
  const webhook = `http://${host}:${port}/api/stripe/webhook`
  stripe.setWebhookUrl(webhook)
  console.log(`Stand-in for Stripe: ${stripe.url} shows every checkout, to refund or to dispute it`)
  console.log(`Its webhooks go to ${webhook}; no money moves`)
  return stripe.env
}
