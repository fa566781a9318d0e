// Files and backups in buckets of which one call in five fails, while people buy and download and the author uploads:
// an edition is there whole or not at all, a download is right or breaks off, a backup is whole or counts as failed.
import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Backups } from '#contract/backup/backups.ts'
import { objectsOf, openBackupStore } from '#domains/backup/backup-store.ts'
import { openDatabase, type Database } from '#platform/db/client.ts'
import { createLog } from '#platform/log.ts'
import { openStorageAt } from '#platform/open-storage.ts'
import { startEmbeddedPostgres } from '@lectern/postgres'
import { buffer } from 'node:stream/consumers'
import { makeEpub } from '../../epub.ts'
import { startShop } from '../../running-shop.ts'
import { bucketFaults, openTestBucket, s3Environment, type BucketFault, type TestBucket } from '../../s3.ts'
import { upload } from '../../upload.ts'
import { createRandom, type Random } from '../random.ts'
import { openSale, type Sale } from '../sale.ts'
import type { Findings, Scenario, ScenarioOptions } from '../scenario.ts'

const errorRate = 0.2
const roundMs = 3_000
const downloaderCount = 2

export const scenario: Scenario = {
  fault: 'S3 fails one call in five',
  rounds: 5,
  buyers: 4,
  run: failBucket,
}

async function failBucket({ dataDir, buyers, rounds, seed }: ScenarioOptions): Promise<Findings> {
  const troubles = createTroubles(createRandom(seed))
  await using files = await openTestBucket({ chooseFault: () => troubles.next() })
  await using backups = await openTestBucket({ name: 'backups', chooseFault: () => troubles.next() })
  await using shop = await startShop(dataDir, {
    env: { STORAGE_URL: files.url, BACKUP_URL: backups.url, ...s3Environment },
  })
  const sale = await openSale({ url: shop.url, buyers, seed, dataDir })
  troubles.isOn = true
  const closing = new AbortController()
  const contents = new Map([...files.files.values()].map(({ bytes }) => [hash(bytes), 'the sample']))
  const author = sendAuthor(shop.url, sale, {
    contents,
    closing: closing.signal,
    random: createRandom(seed + 3),
  })
  const downloaders = Array.from({ length: downloaderCount }, (_, nth) =>
    sendDownloader(shop.url, sale, {
      contents,
      closing: closing.signal,
      random: createRandom(seed + 4 + nth),
    }),
  )
  const backup = { done: 0, failed: 0 }
  for (let round = 1; round <= rounds; round++) {
    await sleep(roundMs)
    const outcome = await backUp(sale)
    backup[outcome] += 1
    console.log(`${String(round).padStart(3)}  backup ${outcome}`)
  }
  closing.abort()
  const uploads = await author
  const downloads = await Promise.all(downloaders)
  await sale.finish()
  troubles.isOn = false
  const exitCode = await shop.stop()

  Object.assign(process.env, s3Environment)
  await using postgres = await startEmbeddedPostgres({ dataDir, log: createLog('error') })
  await using database = openDatabase(postgres.url)
  const found = await sale.audit(database, [200, 201, 202, 503])
  const total = (name: keyof (typeof downloads)[number]) =>
    downloads.reduce((sum, each) => sum + each[name], 0)
  return {
    ...found,
    recoveries: [],
    figures: {
      ...found.figures,
      ...Object.fromEntries(
        [...troubles.counts].map(([name, count]) => [`calls that failed: ${name}`, count]),
      ),
      'editions uploaded': uploads.done,
      'editions refused and sent again': uploads.refused,
      'downloads that were right': total('right'),
      'downloads that broke off': total('brokeOff'),
      'downloads refused': total('refused'),
      'backups made': backup.done,
      'backups that failed and said so': backup.failed,
    },
    violations: {
      ...found.violations,
      'downloads that were wrong or short': total('wrong'),
      'editions not whole': await countBrokenEditions(database, files, contents),
      'editions acknowledged and lost': uploads.done - (await countEditions(database)),
      'files that nothing names': await countUnnamed(database, files),
      'backups in the bucket that are not whole': await countBrokenBackups(backups),
      'exit code after SIGTERM': exitCode ?? 1,
    },
  }
}

const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

function createTroubles(random: Random) {
  const counts = new Map<BucketFault, number>()
  const troubles = {
    isOn: false,
    counts,
    next(): BucketFault | undefined {
      if (!troubles.isOn || random.between(0, 1) > errorRate) return undefined
      const fault = random.of(bucketFaults)
      counts.set(fault, (counts.get(fault) ?? 0) + 1)
      return fault
    },
  }
  return troubles
}

type Errand = { contents: Map<string, string>; closing: AbortSignal; random: Random }

/** Uploads an edition after the other; one that is refused is sent again until it is taken. */
async function sendAuthor(url: string, { crowd, products }: Sale, { contents, closing, random }: Errand) {
  const { id } = products.find(({ format }) => format === 'digital')!
  const figures = { done: 0, refused: 0 }
  while (!closing.aborted) {
    const content = makeEpub({ 'O/filling': randomBytes(random.between(10_000, 2_000_000)) }, { level: 0 })
    const title = `Edition ${figures.done}`
    contents.set(hash(content), title)
    const upload_id = await upload({ url }, crowd.author, content, 'book.epub')
    while (!(await crowd.ask(crowd.author, `/api/admin/products/${id}/editions`, { upload_id, title })).isOk)
      figures.refused += 1
    figures.done += 1
    await sleep(random.between(0, 500))
  }
  return figures
}

async function sendDownloader(
  url: string,
  { crowd, ledger, products }: Sale,
  { contents, closing, random }: Errand,
) {
  const figures = { right: 0, wrong: 0, brokeOff: 0, refused: 0 }
  const { id } = products.find(({ format }) => format === 'digital')!
  while (!closing.aborted) {
    await sleep(20)
    const owned = [...ledger.acknowledged].filter(([key]) => ledger.asked.get(key)!.product_id === id)
    if (owned.length === 0) continue
    const [key, purchase] = random.of(owned)
    const person = crowd.people.find(({ user_id }) => user_id === ledger.asked.get(key)!.user_id)!
    const link = await crowd.ask<{ url: string }>(person, `/api/purchases/${purchase.id}/download`, {})
    const response = link.isOk ? await fetch(url + link.body.url).catch(() => undefined) : undefined
    if (!response?.ok) {
      figures.refused += 1
      continue
    }
    const bytes = await response.bytes().catch(() => undefined)
    if (!bytes) figures.brokeOff += 1
    else if (contents.has(hash(bytes))) figures.right += 1
    else figures.wrong += 1
  }
  return figures
}

async function backUp({ crowd }: Sale): Promise<'done' | 'failed'> {
  const started = await crowd.ask<Backups>(crowd.author, '/api/admin/backups', { kind: 'backup' })
  const id = started.body.runs[0]!.id
  for (;;) {
    const { isOk, body } = await crowd.ask<Backups>(crowd.author, '/api/admin/backups')
    const run = isOk ? body.runs.find((each) => each.id === id) : undefined
    if (run && run.state !== 'running') {
      for (const problem of run.problems) console.log(`     ${problem}`)
      return run.state === 'done' && run.problems.length === 0 ? 'done' : 'failed'
    }
    await sleep(200)
  }
}

type Pool = Pick<Database, 'pool'>

async function countEditions({ pool }: Pool): Promise<number> {
  const query = `select count(*) from product_files where title like 'Edition %'`
  return (await pool.query<{ count: number }>(query)).rows[0]!.count
}

async function countBrokenEditions({ pool }: Pool, { files }: TestBucket, contents: Map<string, string>) {
  const query = `select file_path, title from product_files where title like 'Edition %'`
  const { rows } = await pool.query<{ file_path: string; title: string }>(query)
  return rows.filter(({ file_path, title }) => {
    const stored = files.get(file_path)
    return !stored || contents.get(hash(stored.bytes)) !== title
  }).length
}

async function countUnnamed({ pool }: Pool, { files }: TestBucket): Promise<number> {
  const query = `select file_path from product_files union select file_path from unsettled_files`
  const named = new Set(
    (await pool.query<{ file_path: string }>(query)).rows.map(({ file_path }) => file_path),
  )
  return [...files.keys()].filter((name) => !named.has(name)).length
}

async function countBrokenBackups({ url }: TestBucket): Promise<number> {
  const store = openBackupStore(openStorageAt(url), undefined)
  let broken = 0
  for (const name of await store.list()) {
    const manifest = await store.read(name)
    const reading = objectsOf(manifest).map(async (object) => buffer(await store.readObject(object)))
    broken += (await Promise.all(reading).then(
      () => 0,
      () => 1,
    )) satisfies number
  }
  return broken
}
