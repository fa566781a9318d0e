// A bare Debian becomes a shop by install.sh; then releases are installed while people read and buy, good ones and broken
// ones, and the command is killed while it changes over.
import { appendFileSync, copyFileSync, existsSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { admin } from '../../running-shop.ts'
import { sendBuyers, type Ledger } from '../buyers.ts'
import { gatherCrowd } from '../crowd.ts'
import { openEntry } from '../debian/https-entry.ts'
import { missingForMachine, openMachine, type Machine } from '../debian/machine.ts'
import { makeLater, packCheckout } from '../debian/packages.ts'
import { withDatabase } from '../killed-command.ts'
import { createRandom } from '../random.ts'
import type { Findings, Scenario, ScenarioOptions } from '../scenario.ts'
import type { Product } from '#contract/catalog/products.ts'

const name = 'books.localhost'
const orders = 10_000
/** There while a change is under way. */
const formerLink = 'opt/lectern/former'
const currentLink = 'opt/lectern/current'

export const scenario: Scenario = {
  fault: 'a bare Debian is installed and upgraded; the upgrade is killed while it changes over',
  rounds: 3,
  buyers: 8,
  needs: missingForMachine(),
  run: installAndUpgrade,
}

async function installAndUpgrade({ dataDir, buyers, rounds, seed }: ScenarioOptions): Promise<Findings> {
  await using machine = await openMachine(join(dataDir, 'root'), [name])
  const folder = join(machine.root, 'root')
  const shopData = join(machine.root, 'var/lib/lectern/data')
  copyFileSync(join(import.meta.dirname, '../../../deploy/install.sh'), join(folder, 'install.sh'))
  const first = packCheckout(folder)
  const found = { install: 0, settings: 0, refused: 0, untouched: 0, back: 0, killed: 0, open: 0 }
  const count = (isGood: boolean, of: keyof typeof found, printed: string) => {
    if (isGood) return
    found[of] += 1
    console.log(printed)
  }

  const installMs = await install(machine, first, count)
  if (found.install > 0) throw new Error('The shop could not be installed.')
  const againMs = await install(machine, first, count)
  const units = ['service', 'socket'].map((kind) => `/etc/systemd/system/lectern.${kind}`)
  const unit = await machine.run('systemd-analyze', 'verify', ...units)
  count(unit.code === 0 && unit.printed === '', 'settings', unit.printed)
  const caddy = await machine.run('caddy', 'validate', '--config', '/etc/caddy/Caddyfile')
  count(caddy.code === 0, 'settings', caddy.printed)

  const settings = { RATE_LIMIT: 'off', ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password }
  for (const [key, value] of Object.entries(settings))
    appendFileSync(join(machine.root, 'var/lib/lectern/.env'), `${key}='${value}'\n`)
  const demo = await machine.run('lectern', 'demo', '--users', '2000', '--purchases', String(orders))
  count(demo.code === 0, 'install', demo.printed)
  await machine.run('systemctl', 'restart', 'lectern')

  const authority = '.local/share/caddy/pki/authorities/local/root.crt'
  const ca = readFileSync(join(machine.root, 'var/lib/caddy', authority), 'utf8')
  await using entry = await openEntry(name, ca)
  await untilOpen(entry.url)
  const crowd = await gatherCrowd(entry.url, buyers)
  const products = (await (await fetch(`${entry.url}/api/products`)).json()) as Product[]
  const sale = sendBuyers(crowd, products, createRandom(seed))
  const pages = readPages(entry.url)
  const failures = () => {
    let failed = pages.failed()
    // After 401, a token has ended, and its buyer signs in again.
    for (const [status, times] of crowd.statuses) if (![200, 201, 401, 409].includes(status)) failed += times
    return failed
  }

  const figures: Record<string, number> = {
    'milliseconds of the installation': installMs,
    'milliseconds of installing the same again': againMs,
  }
  const table = (n: number) => `create table next_${n} (id uuid primary key)`
  const release = async () => (await machine.run('readlink', '/opt/lectern/current')).printed.trim()

  const refused = [
    { version: '1.0.1', fault: 'it does not start' },
    { version: '1.0.2', statements: [table(2), 'select 1 / 0'] },
  ] as const
  for (const each of refused) {
    const before = await release()
    const file = await makeLater(folder, first, {
      ...each,
      statements: [...('statements' in each ? each.statements : [])],
    })
    const upgraded = await machine.run('lectern', 'upgrade', join('/root', file), '--yes')
    console.log(upgraded.printed)
    count(upgraded.code === 1 && (await release()) === before, 'untouched', upgraded.printed)
  }
  figures['requests that failed while two builds were refused'] = failures()

  const since = failures()
  const good = await makeLater(folder, first, { version: '1.1.0', statements: [table(3)] })
  const upgraded = await machine.run('lectern', 'upgrade', join('/root', good), '--yes')
  console.log(upgraded.printed)
  count(upgraded.code === 0 && (await release()).includes('1.1.0'), 'refused', upgraded.printed)
  await sleep(2_000)
  const failedInUpgrade = failures() - since
  figures['seconds that requests were to wait, as measured on the copy'] = numberIn(
    upgraded.printed,
    /about (\d+) s/,
  )
  figures['seconds that requests waited'] = numberIn(upgraded.printed, /waited for at most ([\d.]+) s/)
  figures['milliseconds of the slowest purchase or page'] = Math.max(crowd.maxMs, pages.maxMs())

  const beforeBack = failures()
  const faults = ['it does not start on the real data', 'its page fails on the real data'] as const
  for (const [nth, fault] of faults.entries()) {
    const bad = await makeLater(folder, good, { version: `1.1.${nth + 1}`, fault, statements: [table(4)] })
    const before = await release()
    const wentBack = await machine.run('lectern', 'upgrade', join('/root', bad), '--yes')
    console.log(wentBack.printed)
    const isBack = wentBack.code === 1 && (await release()) === before && (await isAnswering(entry.url))
    count(isBack, 'back', wentBack.printed)
  }
  await sleep(2_000)
  figures['requests that failed while migrated releases went back'] = failures() - beforeBack

  // The data have its migration, which later releases have, too.
  let last = await makeLater(folder, good, { version: '1.1.3', statements: [table(4)] })

  const commands = [
    ['restore', '/var/lib/lectern/data/backups'],
    ['admin', 'new-secret'],
  ] as const
  for (const command of commands) {
    const { code, printed } = await machine.run('lectern', ...command, '--yes')
    count(code === 1 && printed.includes('systemctl stop lectern.socket'), 'open', printed)
  }

  const random = createRandom(seed + 1)
  const beforeKills = failures()
  const recoveries: number[] = []
  for (let round = 1; round <= rounds; round += 1) {
    const next = await makeLater(folder, last, { version: `1.2.${round}`, statements: [table(10 + round)] })
    const killedAt = await killUpgrade(machine, next, random.between(0, 8_000))
    const at = Date.now()
    // As after a restart of the machine. In every other round the command has to end it without one.
    if (round % 2 === 1) {
      await machine.run('systemctl', 'restart', 'lectern')
      await untilOpen(entry.url)
      recoveries.push(Date.now() - at)
    }
    const again = await machine.run('lectern', 'upgrade', join('/root', next), '--yes')
    const isDone = again.code === 0 && (await release()).includes(`1.2.${round}`)
    count(isDone && !existsSync(join(machine.root, formerLink)), 'killed', again.printed)
    await untilOpen(entry.url)
    console.log(`${round}  killed ${killedAt}, ended after ${Date.now() - at} ms`)
    last = next
  }
  const failedInKills = failures() - beforeKills
  const takesAway = [table(5), `-- contract: unused since 2.0.0\nalter table next_5 add column next text`]
  const final = await makeLater(folder, last, { version: '2.0.0', statements: takesAway })
  const contracted = await machine.run('lectern', 'upgrade', join('/root', final), '--yes')
  const isSaid = contracted.printed.includes('the way back is the backup')
  count(contracted.code === 0 && isSaid, 'refused', contracted.printed)
  pages.stop()
  await sale.finish()
  const audited = await audit(shopData, sale.ledger)
  await machine.run('systemctl', 'stop', 'lectern.socket')
  const secret = await machine.run('lectern', 'admin', 'new-secret', '--yes')
  count(secret.code === 0, 'open', secret.printed)
  const removed = await machine.run('lectern', 'uninstall', '--yes')
  const hasData =
    existsSync(join(shopData, 'postgres/cluster')) && !existsSync(join(machine.root, 'opt/lectern'))
  count(removed.code === 0 && hasData, 'install', removed.printed)

  return {
    ...audited,
    recoveries,
    figures: { ...figures, 'pages read': pages.count(), [`orders in the shop at first`]: orders },
    violations: {
      'installations that failed': found.install,
      'settings that systemd or Caddy refuse': found.settings,
      'refused builds that changed something': found.untouched,
      'requests that failed in the upgrade': failedInUpgrade,
      'requests that failed while the command was killed': failedInKills,
      'upgrades that failed': found.refused,
      'releases that did not go back': found.back,
      'commands that did not ask for the closed socket': found.open,
      'killed upgrades that the next run did not end': found.killed,
    },
  }
}

type Count = (isGood: boolean, of: 'install', printed: string) => void

async function install(machine: Machine, file: string, count: Count): Promise<number> {
  const since = Date.now()
  const { code, printed } = await machine.run('sh', '/root/install.sh', join('/root', file), name, '--yes')
  if (code === 0) console.log(printed)
  count(code === 0 && printed.includes(`https://${name}/setup#`), 'install', printed)
  return Date.now() - since
}

function readPages(url: string) {
  let [count, failed, maxMs] = [0, 0, 0]
  const closing = new AbortController()
  async function read(path: string): Promise<void> {
    while (!closing.signal.aborted) {
      const since = Date.now()
      const isGood = await fetch(`${url}${path}`).then(
        async (response) => (await response.arrayBuffer(), response.status === 200),
        () => false,
      )
      count += 1
      if (!isGood) failed += 1
      maxMs = Math.max(maxMs, Date.now() - since)
      await sleep(50)
    }
  }
  for (const path of ['/', '/api/products', '/preview']) void read(path)
  return { count: () => count, failed: () => failed, maxMs: () => maxMs, stop: () => closing.abort() }
}

/** SIGKILL to the command, so many milliseconds after it has begun to change over. */
async function killUpgrade(machine: Machine, file: string, ms: number): Promise<string> {
  const command = machine.start('lectern', 'upgrade', join('/root', file), '--yes')
  while (command.isRunning() && !existsSync(join(machine.root, formerLink))) await sleep(10)
  await sleep(ms)
  const isUnderWay = existsSync(join(machine.root, formerLink))
  const state = isUnderWay
    ? `with the link to ${readlinkSync(join(machine.root, currentLink))}`
    : 'after its end'
  await machine.run('pkill', '-KILL', '-f', 'lectern.js upgrade /root')
  await command.ended
  return state
}

async function untilOpen(url: string): Promise<void> {
  const deadline = Date.now() + 120_000
  while (!(await isAnswering(url))) {
    if (Date.now() > deadline) throw new Error('The shop does not open again.')
    await sleep(50)
  }
}

const isAnswering = (url: string) =>
  fetch(`${url}/api/ready`).then(
    ({ ok }) => ok,
    () => false,
  )

function numberIn(text: string, pattern: RegExp): number {
  return Number(pattern.exec(text)?.[1] ?? Number.NaN)
}

/** The shop runs meanwhile. */
async function audit(dataDir: string, { acknowledged, contradicted }: Ledger) {
  return withDatabase(dataDir, async ({ pool }) => {
    const { rows } = await pool.query<{ id: string; key: string }>(
      'select id, idempotency_key as key from purchases where idempotency_key is not null',
    )
    const ids = new Set(rows.map(({ id }) => id))
    const keys = rows.map(({ key }) => key).filter((key) => acknowledged.has(key))
    return {
      acknowledged: acknowledged.size,
      lost: [...acknowledged.values()].filter(({ id }) => !ids.has(id)).length,
      doubled: keys.length - new Set(keys).size + contradicted.length,
    }
  })
}
