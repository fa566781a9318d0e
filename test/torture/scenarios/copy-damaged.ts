// While people buy, a byte changes in the copy of the backups elsewhere, which is encrypted or not. The next rehearsal of
// that place must find it, the next backup mend it, and a restore from there on an empty machine bring back all that was
// sold before.
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { objectsOf } from '#domains/backup/backup-store.ts'
import type { Passphrases } from '#domains/backup/place-key.ts'
import type { AttentionItem } from '#contract/payments/needs-attention.ts'
import type { Page } from '#contract/fields.ts'
import { findFreePort } from '../../find-free-port.ts'
import { startShop } from '../../running-shop.ts'
import type { Crowd } from '../crowd.ts'
import { countMissing, flipByte, listDamaged, readNewest } from '../damage.ts'
import { startCommand, withDatabase } from '../killed-command.ts'
import { createRandom } from '../random.ts'
import { runByAuthor } from '../run-by-author.ts'
import { openSale } from '../sale.ts'
import type { Findings, Scenario, ScenarioOptions } from '../scenario.ts'

export const scenario: Scenario = {
  fault: 'a byte flipped in the copy elsewhere',
  rounds: 6,
  buyers: 4,
  run: damageCopies,
}

type Copy = { env: Record<string, string>; keys: Passphrases }

const passphrase = 'in the beginning was the word'

const copies: readonly Copy[] = [
  { env: {}, keys: {} },
  { env: { BACKUP_PASSPHRASE: passphrase }, keys: { passphrase } },
]

async function damageCopies({ dataDir, buyers, rounds, seed }: ScenarioOptions): Promise<Findings> {
  const port = await findFreePort()
  const random = createRandom(seed)
  let shop = await startShop(dataDir, { port })
  const sale = await openSale({ url: shop.url, buyers, seed, dataDir })
  const found = { early: 0, unnoticed: 0, unsaid: 0, unmended: 0, refused: 0, damaged: 0, missing: 0 }
  for (let round = 1; round <= rounds; round++) {
    const copy = copies[round % copies.length]!
    const folder = join(dataDir, `elsewhere-${round}`)
    await shop.stop()
    shop = await startShop(dataDir, { port, env: { BACKUP_URL: pathToFileURL(folder).href, ...copy.env } })
    found.early += (await runByAuthor(sale.crowd, 'backup')).problems.length
    const sha256 = random.of(objectsOf(await readNewest(folder, copy.keys)))
    await flipByte(folder, sha256, random)
    found.unnoticed += Number((await rehearse(sale.crowd, folder)).length === 0)
    found.unsaid += Number(!(await isNeeded(sale.crowd, folder)))
    const sold = [...sale.ledger.acknowledged.values()].map(({ id }) => id)
    found.unmended += (await runByAuthor(sale.crowd, 'backup')).problems.length
    found.unmended += (await rehearse(sale.crowd, folder)).length + Number(await isNeeded(sale.crowd, folder))
    const restored = await restoreElsewhere(dataDir, { folder, copy, sold })
    for (const name of ['refused', 'damaged', 'missing'] as const) found[name] += restored[name]
    console.log(`${String(round).padStart(3)}  ${Object.keys(copy.env)[0] ?? 'not encrypted'}, ${sha256}`)
  }
  await sale.finish()
  const exitCode = await shop.stop()
  const audited = await withDatabase(dataDir, (database) =>
    sale.audit(database, [0, 200, 201, 202, 401, 409, 503]),
  )
  return {
    ...audited,
    lost: audited.lost + found.missing,
    recoveries: [],
    violations: {
      ...audited.violations,
      'problems of backups and rehearsals before the byte was flipped': found.early,
      'flipped bytes that the rehearsal has not found': found.unnoticed,
      'flipped bytes that Needs attention has not named': found.unsaid,
      'problems after the next backup': found.unmended,
      'restores from the copy that failed': found.refused,
      'files that are not whole after the restore': found.damaged,
      'exit code after SIGTERM': exitCode ?? 1,
    },
  }
}

/** The problems. Places are read in turn. */
async function rehearse(crowd: Crowd, folder: string): Promise<string[]> {
  for (;;) {
    const { place, problems } = await runByAuthor(crowd, 'rehearsal')
    if (place === folder) return problems
    if (problems.length > 0) throw new Error(`The rehearsal of ${place} has found: ${problems.join(' ')}`)
  }
}

async function isNeeded(crowd: Crowd, folder: string): Promise<boolean> {
  const { isOk, body } = await crowd.ask<Page<AttentionItem>>(crowd.author, '/api/admin/payments')
  if (!isOk) return isNeeded(crowd, folder)
  return body.items.some(
    (need) => need.kind === 'backup' && need.run === 'rehearsal' && need.place === folder,
  )
}

type Restoring = { folder: string; copy: Copy; sold: readonly string[] }

async function restoreElsewhere(dataDir: string, { folder, copy: { keys, env }, sold }: Restoring) {
  const empty = join(dataDir, 'empty')
  await mkdir(empty)
  const { code, stderr } = await startCommand(empty, ['restore', folder, '--yes'], { env }).ended
  if (code !== 0) {
    console.log(stderr)
    return { refused: 1, damaged: 0, missing: sold.length }
  }
  const missing = await countMissing(empty, sold)
  const damaged = (await listDamaged(empty, await readNewest(folder, keys))).length
  await rm(empty, { recursive: true })
  return { refused: 0, damaged, missing }
}
