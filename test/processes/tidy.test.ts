// `lectern tidy`: what restores and uploads have left is listed, and deleted only when it may be.
import { access, mkdir, mkdtempDisposable, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { dayMs } from '#contract/durations.ts'
import { book } from '#content/book.ts'
import { openDatabase } from '#platform/db/client.ts'
import { ensureBuilt } from '#tools/build.ts'
import { createTestDatabase } from '../database.ts'
import { startProcess } from '../start-process.ts'

beforeAll(() => ensureBuilt())

const root = join(import.meta.dirname, '../..')
const digitsOf = (at: Date) => at.toISOString().replaceAll(/\D/g, '').slice(0, 14)
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs)

test('the data before a restore go after 14 days with a later good backup, old parts at any time, and only with --yes', async () => {
  await using created = await createTestDatabase()
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-tidy-'))
  await using database = openDatabase(created.url, { max: 1 })
  const dataDir = folder.path
  const { rows } = await database.pool.query('select current_database() as name')
  const [{ name }] = z.tuple([z.object({ name: z.string() })]).parse(rows)
  const run = (command: string, ...args: string[]) =>
    startProcess(process.execPath, ['tools/start.ts', command, ...args], {
      cwd: root,
      env: { DATABASE_URL: created.url, DATA_DIR: dataDir, NODE_ENV: 'production' },
    }).ended
  const old = `${name}_before_${digitsOf(daysAgo(20))}`
  const recent = `${name}_before_${digitsOf(daysAgo(3))}`
  const other = `${name}_before_the_move`
  const unfinished = `${name}_restored_${digitsOf(daysAgo(1))}`
  for (const each of [old, recent, other, unfinished])
    await database.pool.query(`create database ${each} template template0`)
  await using undo = new AsyncDisposableStack()
  for (const each of [old, recent, other, unfinished])
    undo.defer(async () => void (await database.pool.query(`drop database if exists ${each}`)))
  const put = async (path: string, days: number) => {
    await mkdir(join(dataDir, path, '..'), { recursive: true })
    await writeFile(join(dataDir, path), 'x'.repeat(5_000))
    await utimes(join(dataDir, path), daysAgo(days), daysAgo(days))
  }
  await put('uploads/0123456789abcdef0123456789abcdef', 4)
  await put('uploads/fedcba9876543210fedcba9876543210', 1)
  await put('outbox/2026-01-01T00-00-00-000Z-019a9b1c-0000-7000-8000-000000000001.eml', 91)
  await put('files/ebooks/sold.epub', 400)
  const sample = `files/ebooks/1700000000000-${book.title.replaceAll(/[^a-zA-Z0-9]/g, '-')}.epub`
  await put(sample, 3)
  await put('files/ebooks/1700000000000-Another-Book.epub', 3)
  await put(`postgres/cluster-17-${digitsOf(daysAgo(30))}/PG_VERSION`, 30)
  await put('postgres/cluster/PG_VERSION', 400)
  await put('upgrade-copy/postgres/PG_VERSION', 2)
  await utimes(join(dataDir, 'upgrade-copy'), daysAgo(2), daysAgo(2))
  const isThere = (path: string) =>
    access(join(dataDir, path)).then(
      () => true,
      () => false,
    )
  const listDatabases = async () => {
    const found = await database.pool.query(
      `select datname as name from pg_database where datname like $1 || '\\_%'`,
      [name],
    )
    return z
      .array(z.object({ name: z.string() }))
      .parse(found.rows)
      .map((each) => each.name)
      .toSorted()
  }

  const dry = await run('tidy')
  expect(dry).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Run it again with --yes to delete 4'),
  })
  expect(dry.stdout).toMatch(new RegExp(`^delete .* ${unfinished}: data of a restore that did not end$`, 'm'))
  expect(dry.stdout).toMatch(
    new RegExp(`^stays .* ${sample.replace('files/', '')}: file of the sample.*restore stay$`, 'm'),
  )
  expect(dry.stdout).not.toContain('Another-Book')
  expect(dry.stdout).toMatch(new RegExp(`^stays .* ${old}: .*until there is a later good backup$`, 'm'))
  expect(dry.stdout).toMatch(new RegExp(`^stays .* ${recent}: .*until \\d{4}-\\d\\d-\\d\\d$`, 'm'))
  expect(dry.stdout).not.toContain('sold.epub')
  expect(dry.stdout).not.toContain(other)
  expect(await isThere('uploads/0123456789abcdef0123456789abcdef')).toBe(true)

  await writeFile(join(dataDir, 'files/ebooks/sold.epub'), '')
  expect((await run('backup')).code).toBe(0)
  // A backup has removed the unfinished one, too.
  await database.pool.query(`create database ${unfinished} template template0`)
  {
    await using used = openDatabase(created.url.replace(name, old), { max: 1 })
    await used.pool.query('select 1')
    expect((await run('tidy')).stdout).toMatch(
      new RegExp(`^stays .* ${old}: .*something is connected to it$`, 'm'),
    )
  }
  const done = await run('tidy', '--yes')
  expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining('Deleted 6') })
  expect(await listDatabases()).toEqual([recent, other].toSorted())
  expect(await isThere(sample)).toBe(true)
  await database.pool.query(`drop database ${recent}`)
  expect((await run('tidy', '--yes')).stdout).toContain('Deleted 1')
  expect(await isThere(sample)).toBe(false)
  const left = [
    'upgrade-copy',
    'uploads/0123456789abcdef0123456789abcdef',
    `postgres/cluster-17-${digitsOf(daysAgo(30))}`,
  ]
  for (const path of left) expect([path, await isThere(path)]).toEqual([path, false])
  for (const path of [
    'uploads/fedcba9876543210fedcba9876543210',
    'files/ebooks/sold.epub',
    'files/ebooks/1700000000000-Another-Book.epub',
    'postgres/cluster/PG_VERSION',
  ])
    expect([path, await isThere(path)]).toEqual([path, true])
  expect(await run('tidy')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('There is nothing to delete.'),
  })
})
