// The process that erases accounts is killed, alone or with PostgreSQL, and started again. Each account is there as a
// whole or erased as a whole, and the hash of an erased one is in the data folder.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readErasedFile } from '#domains/accounts/erased-ids.ts'
import { killAll, processesIn } from '../../postgres-owner.ts'
import { startShop } from '../../running-shop.ts'
import { startProcess, untilPrinted } from '../../start-process.ts'
import { gatherCrowd, type Person } from '../crowd.ts'
import { withDatabase } from '../killed-command.ts'
import { createRandom, type Random } from '../random.ts'
import type { Findings, Scenario, ScenarioOptions } from '../scenario.ts'
import { auditSums } from '../sums.ts'

export const scenario: Scenario = {
  fault: 'killed in the middle of erasing accounts',
  rounds: 6,
  buyers: 16,
  run,
}

/** Less than it takes to erase the accounts of a round. */
const maxMs = 250
const hashOf = (id: string) => createHash('sha256').update(id).digest('hex')

async function run({ dataDir, buyers, rounds, seed }: ScenarioOptions): Promise<Findings> {
  const random = createRandom(seed)
  const shop = await startShop(dataDir)
  const crowd = await gatherCrowd(shop.url, buyers * (rounds + 1))
  const [product] = (await crowd.ask<{ id: string }[]>(crowd.author, '/api/products')).body
  const bought: string[] = []
  for (const person of crowd.people) {
    const { body } = await crowd.ask<{ id: string }>(person, '/api/purchases', { product_id: product!.id })
    bought.push(body.id)
  }
  const exitCode = await shop.stop()
  const recoveries: number[] = []
  let killed = 0
  for (let round = 0; round < rounds; round += 1) {
    await makeDue(dataDir, crowd.people.slice(round * buyers, (round + 1) * buyers))
    if (await killErasing(dataDir, random)) killed += 1
    const since = Date.now()
    const { code, stderr } = await startErasing(dataDir).ended
    if (code !== 0) throw new Error(`the erasing ended with ${code}. ${stderr}`)
    recoveries.push(Date.now() - since)
    console.log(`${String(round + 1).padStart(3)}  erased after ${recoveries.at(-1)} ms`)
  }
  const [erased, others] = [crowd.people.slice(0, buyers * rounds), crowd.people.slice(buyers * rounds)]
  return { ...(await audit(dataDir, { bought, erased, others, exitCode, killed })), recoveries }
}

const startErasing = (dataDir: string) =>
  startProcess(process.execPath, ['test/torture/erase-accounts.ts', dataDir], { env: { DATA_DIR: dataDir } })

/** False where it had ended before. */
async function killErasing(dataDir: string, random: Random): Promise<boolean> {
  const child = startErasing(dataDir)
  await untilPrinted(child)
  await sleep(random.between(0, maxMs))
  const isUnderWay = child.isRunning()
  if (random.of([true, false])) killAll(processesIn(join(dataDir, 'postgres/cluster')))
  await child.stop('SIGKILL')
  return isUnderWay
}

async function makeDue(dataDir: string, people: readonly Person[]): Promise<void> {
  const ids = people.map(({ user_id }) => user_id)
  await withDatabase(dataDir, async ({ pool }) => {
    await pool.query(
      `insert into erasures (user_id, due_at, began_at)
       select id, now() - interval '1 hour', now() - interval '1 hour' from unnest($1::uuid[]) id`,
      [ids],
    )
  })
}

type Done = {
  bought: readonly string[]
  erased: readonly Person[]
  others: readonly Person[]
  exitCode: number | null
  killed: number
}

function audit(dataDir: string, { bought, erased, others, exitCode, killed }: Done) {
  return withDatabase(dataDir, async (database) => {
    const { pool } = database
    const { rows } = await pool.query<{ id: string; email: string; name: string }>(
      `select b.id, u.email, u.user_metadata ->> 'display_name' as name
       from purchases b join auth.users u on u.id = b.user_id`,
    )
    const left = new Set(rows.map(({ id }) => id))
    const isOfOthers = new Set(others.map(({ email }) => email))
    const { rows: traces } = await pool.query<{ email: string }>(
      `select recipient as email from mails union select email from profiles
       union select data ->> 'email' from pgboss.job union select email from auth.audit_log`,
    )
    const isThere = new Set(traces.map(({ email }) => email))
    const hashes = new Set(await readErasedFile({ dataDir }))
    const { violations } = await auditSums(database)
    return {
      acknowledged: bought.length,
      lost: bought.filter((id) => !left.has(id)).length,
      doubled: rows.length - left.size,
      figures: { 'accounts erased': erased.length, 'rounds killed half-way': killed },
      violations: {
        ...violations,
        'erased accounts with a trace': erased.filter(({ email }) => isThere.has(email)).length,
        'erased accounts without a hash in the folder': erased.filter(
          ({ user_id }) => !hashes.has(hashOf(user_id)),
        ).length,
        'purchases of erased accounts with a name': rows.filter(
          ({ email, name }) => !isOfOthers.has(email) && name !== 'Erased account',
        ).length,
        'other accounts that changed': others.filter(({ email }) => !isThere.has(email)).length,
        'exit code after SIGTERM': exitCode ?? 1,
      },
    }
  })
}
