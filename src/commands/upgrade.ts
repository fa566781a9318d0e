// `lectern upgrade FILE`, as root. What touches the shop's data runs as its user: `--step`, see upgrade-steps.ts.
import { randomBytes } from 'node:crypto'
import { statfs } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { failureReason } from '#platform/errors.ts'
import { changeOver, recover } from './change-over.ts'
import {
  copyOf,
  openRelease,
  openRequestHolder,
  openServer,
  removeRelease,
  requireServer,
  runAsShop,
  startTrial,
  type InstalledServer,
} from './server.ts'
import { fail, sizeOf } from './shell.ts'
import { readFacts, runStep, type ShopFacts } from './upgrade-steps.ts'
import { usage } from './usage.ts'

/** Requests are held for 30 s: a machine that is busier than during the trial may take twice as long. */
const maxPauseMs = 15_000
/** Of stopping each of the three processes. */
const stopMs = 700
const packageBytes = 600e6

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { yes: { type: 'boolean', default: false }, step: { type: 'string' } },
  })
  if (values.step) return await runStep(values.step)
  const [file] = positionals
  if (!file) throw new Error(usage.upgrade)
  requireServer()
  await using holder = await openRequestHolder()
  const server = openServer(holder)
  const recovered = await recover(server)
  if (recovered) say(`An upgrade was interrupted: it has been brought to its end, ${recovered} is in use.`)
  const from = server.release()
  const to = await server.releaseIn(file)
  if (to === from) return say(`${to} is in use already.`)
  const facts = await readFacts(from)
  await requireRoom(facts)
  say(`${from} is in use. ${to} is unpacked beside it and tried on a copy of the shop.`)
  await openRelease(to, file)
  await backUp(from)
  const pauseMs = await tryOnCopy(from, to, facts)
  await requireConsent(pauseMs, values.yes)
  await upgrade(server, { from, to })
  say(
    `${to} is in use. Requests waited for ${(holder.heldMs() / 1_000).toFixed(1)} s; the last of them are being finished.`,
  )
}

async function upgrade(server: InstalledServer, change: { from: string; to: string }): Promise<void> {
  const undo = ignoreSignals()
  try {
    await changeOver(server, change)
  } catch (error) {
    if (!server.readState()) await removeRelease(change.to)
    throw new Error(
      server.readState()
        ? `The upgrade did not end (${failureReason(error)}). ${server.release()} is in use. Run this again to end it, and look at journalctl -u lectern.`
        : `${change.to} did not work on the shop's data: ${failureReason(error)}\n${change.from} is in use again, nothing is lost.`,
      { cause: error },
    )
  } finally {
    undo()
  }
  await server.removeOthers([change.from, change.to])
}

async function requireRoom({ data_dir, database_bytes }: ShopFacts): Promise<void> {
  const { bavail, bsize } = await statfs(data_dir)
  // A copy to try the release on, with a backup of it, and the data from before the change.
  const needed = packageBytes + 4 * database_bytes
  if (bavail * bsize < needed)
    throw new Error(
      `${sizeOf(bavail * bsize)} of the disk are free, and ${sizeOf(needed)} are needed. Nothing was changed. lectern tidy lists what may go.`,
    )
}

async function backUp(release: string): Promise<void> {
  say('A backup is made …')
  await runAsShop(release, ['backup']).catch((cause: unknown) => {
    throw new Error(
      `A backup could not be made: ${failureReason(cause)}\nThe shop was not touched: remove the cause and run this again.`,
      { cause },
    )
  })
}

/** Milliseconds for which requests will wait, measured on the copy. */
async function tryOnCopy(from: string, to: string, { data_dir, drain_seconds }: ShopFacts): Promise<number> {
  try {
    await runAsShop(from, ['upgrade', '--step', 'copy'])
    const copy = copyOf(data_dir)
    await runAsShop(to, ['restore', copy.backups, '--yes'], copy.env)
    const keepMs = await timed(() => runAsShop(to, ['upgrade', '--step', 'keep'], copy.env))
    const password = randomBytes(18).toString('base64url')
    const firstMs = await timed(() => checkTrial(to, copy.env))
    const email = `upgrade-${randomBytes(6).toString('hex')}@example.com`
    await runAsShop(to, ['admin', 'create', email, '--password', password], copy.env)
    const secondMs = await timed(() => checkTrial(to, copy.env, { email, password }))
    say(`${to} works on the copy: it starts, shows its pages, and signs in.`)
    return drain_seconds * 1_000 + keepMs + firstMs + secondMs + 3 * stopMs
  } catch (error) {
    await removeRelease(to)
    throw new Error(
      `${to} does not work on a copy of the shop: ${failureReason(error)}\nThe shop was not touched, ${from} runs on.`,
      { cause: error },
    )
  } finally {
    await runAsShop(from, ['upgrade', '--step', 'remove-copy'])
  }
}

async function checkTrial(
  release: string,
  env: Record<string, string>,
  account?: { email: string; password: string },
): Promise<void> {
  await using trial = await startTrial(release, env)
  await trial.check('/')
  if (account) await trial.signIn(account)
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const since = Date.now()
  await run()
  return Date.now() - since
}

async function requireConsent(pauseMs: number, isConfirmed: boolean): Promise<void> {
  const seconds = Math.ceil(pauseMs / 1_000)
  say(`While the shop changes over, requests wait for about ${seconds} s.`)
  if (pauseMs <= maxPauseMs || isConfirmed) return
  say('That is more than 15 s: some requests of visitors will fail meanwhile. Choose a quiet hour.')
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await new Promise<string>((resolve) => {
    terminal.once('close', () => resolve(''))
    void terminal.question('Change over now? [y/N] ').then(resolve)
  })
  terminal.close()
  if (!/^y(es)?$/i.test(answer.trim())) throw new Error('The shop was not touched.')
}

/** From the stop on, a closed terminal or Ctrl-C must not leave the shop stopped; afterwards, a closed one cuts no request. */
function ignoreSignals(): () => void {
  const signals = ['SIGINT', 'SIGTERM'] as const
  process.on('SIGHUP', () => undefined)
  const ignore = () => say('The shop is changing over: wait for its end.')
  for (const signal of signals) process.on(signal, ignore)
  return () => signals.forEach((signal) => process.off(signal, ignore))
}

function say(text: string): void {
  // Where the terminal is gone, nobody reads it, and the upgrade goes on.
  if (process.stdout.writable) console.log(text)
}

process.stdout.on('error', () => undefined)
await main().catch(fail)
process.exit(0)
