// `lectern upgrade FILE`, as root. What touches the shop's data runs as its user: `--step`, see upgrade-steps.ts.
import { randomBytes } from 'node:crypto'
import { statfs } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { failureReason } from '#platform/errors.ts'
import { changeOver, endChange } from './change-over.ts'
import {
  copyOf,
  lockUpgrades,
  openRelease,
  openServer,
  removeRelease,
  requireServer,
  runAsShop,
  startTrial,
  type InstalledServer,
} from './server.ts'
import { fail, sizeOf } from './shell.ts'
import { findObstacles, readFacts, runStep, type ShopFacts } from './upgrade-steps.ts'
import { usage } from './usage.ts'

/** A visitor who waits longer may have left. */
const maxPauseMs = 15_000
/** Requests in flight and PostgreSQL's end need this long. */
const stopMs = 1_500
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
  using _lock = lockUpgrades()
  const server = openServer()
  const former = server.former()
  if (former !== undefined) {
    say(`An upgrade of ${former} was interrupted: it is brought to its end.`)
    await withoutSignals(server, () => endChange(server))
    say(`${server.release()} is in use.`)
  }
  const from = server.release()
  const to = await server.releaseIn(file)
  if (to === from) return say(`${to} is in use already.`)
  const facts = await readFacts(from)
  await requireRoom(facts)
  say(`${from} is in use. ${to} is unpacked beside it and tried on a copy of the shop.`)
  await openRelease(to, file)
  await backUp(from)
  const { pauseMs, after } = await tryOnCopy(from, to, facts)
  sayWayBack({ from, to }, findObstacles({ release: versionOf(from), before: facts }, after))
  await requireConsent(pauseMs, values.yes)
  const waitedMs = await timed(() =>
    withoutSignals(server, async () => {
      await runAsShop(from, ['upgrade', '--step', 'save-backup'])
      await changeOver(server, to)
    }),
  )
  await server.removeOthers([from, to])
  say(`${to} is in use. Requests waited for at most ${(waitedMs / 1_000).toFixed(1)} s.`)
}

/** A release is named after its version and its checksum. */
const versionOf = (release: string) => release.slice(0, release.lastIndexOf('-'))

/** A closed terminal or Ctrl-C must not leave the change half done from the stop on. */
async function withoutSignals(server: InstalledServer, run: () => Promise<void>): Promise<void> {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const ignore = () => say('The shop is changing over: wait for its end.')
  for (const signal of signals) process.on(signal, ignore)
  try {
    await run()
  } catch (error) {
    throw new Error(describeFailure(server, failureReason(error)), { cause: error })
  } finally {
    for (const signal of signals) process.off(signal, ignore)
  }
}

function describeFailure(server: InstalledServer, reason: string): string {
  const release = server.release()
  if (server.former() === undefined)
    return `The upgrade failed: ${reason}\n${release} is in use, and nothing is lost.`
  return `${release} does not open the shop either: ${reason}\nRemove the cause and run this again. Where ${release} refuses the data, go back to the backup: systemctl stop lectern.socket, lectern restore with the folder backups of the data, systemctl start lectern.`
}

async function requireRoom({ data_dir, database_bytes }: ShopFacts): Promise<void> {
  const { bavail, bsize } = await statfs(data_dir)
  // A copy to try the release on, its migration, and the backup.
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

/** `pauseMs`: for how long requests will wait, as measured on the copy. `after`: of the copy, once the release has opened it. */
async function tryOnCopy(
  from: string,
  to: string,
  { data_dir }: ShopFacts,
): Promise<{ pauseMs: number; after: ShopFacts }> {
  const copy = copyOf(data_dir)
  try {
    await runAsShop(from, ['upgrade', '--step', 'copy'])
    const restore = (release: string) => runAsShop(release, ['restore', copy.backups, '--yes'], copy.env)
    // Data that a newer release has migrated before it went back are restored by one that knows their migration. It also
    // brings them to its own schema, so its time counts.
    let restoreMs = 0
    await restore(from).catch(async () => void (restoreMs = await timed(() => restore(to))))
    await runAsShop(from, ['upgrade', '--step', 'save-backup'], copy.env)
    const startMs = await timed(() => checkTrial(to, copy.env))
    const email = `upgrade-${randomBytes(6).toString('hex')}@example.com`
    const password = randomBytes(18).toString('base64url')
    await runAsShop(to, ['admin', 'create', email, '--password', password], copy.env)
    await checkTrial(to, copy.env, { email, password })
    const after = await readFacts(to, copy.env)
    say(`${to} works on the copy: it starts, shows its pages, and signs in.`)
    return { pauseMs: stopMs + restoreMs + startMs, after }
  } catch (error) {
    await removeRelease(to)
    // A folder to install into that the message names is the shop's.
    const reason = failureReason(error).replaceAll(copy.folder, data_dir)
    throw new Error(
      `${to} does not work on a copy of the shop: ${reason}\nThe shop was not touched, ${from} runs on.`,
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

function sayWayBack({ from, to }: { from: string; to: string }, obstacles: readonly string[]): void {
  if (obstacles.length === 0) return
  say(
    `${to} ${obstacles.join(' and ')}: once it has opened, ${from} cannot start on the data, and the way back is the backup that was just made.`,
  )
}

async function requireConsent(pauseMs: number, isConfirmed: boolean): Promise<void> {
  const seconds = Math.ceil(pauseMs / 1_000)
  say(`While the shop changes over, requests wait for about ${seconds} s.`)
  if (pauseMs <= maxPauseMs || isConfirmed) return
  say('That is more than 15 s: some visitors will leave meanwhile. Choose a quiet hour.')
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await new Promise<string>((resolve) => {
    terminal.once('close', () => resolve(''))
    void terminal.question('Change over now? [y/N] ').then(resolve)
  })
  terminal.close()
  if (!/^y(es)?$/i.test(answer.trim())) throw new Error('The shop was not touched.')
}

function say(text: string): void {
  // Nobody reads it once the terminal is gone, and the upgrade goes on.
  if (process.stdout.writable) console.log(text)
}

process.stdout.on('error', () => undefined)
await main().catch(fail)
process.exit(0)
