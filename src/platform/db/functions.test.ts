// The functions and triggers of a migrated database are those of the folder `functions`.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { createTestDatabase } from '#test/database.ts'

const folder = join(import.meta.dirname, 'functions')

const functions = `select p.oid::regprocedure::text as name, pg_get_functiondef(p.oid) as text from pg_proc p
  where p.pronamespace in ('public'::regnamespace, 'auth'::regnamespace)
    and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e') order by 1`
const triggers = `select t.tgrelid::regclass || ' ' || t.tgname as name, pg_get_triggerdef(t.oid) as text from pg_trigger t
  where not t.tgisinternal order by 1`

test('the migrations make the functions and triggers of the files, each in the file of its function', async () => {
  await using cloned = await createTestDatabase()
  const client = new Client(cloned.url)
  await client.connect()
  const read = async () => ({
    functions: (await client.query<{ name: string; text: string }>(functions)).rows,
    triggers: (await client.query<{ name: string; text: string }>(triggers)).rows,
  })
  const migrated = await read()
  const files = globSync('*.sql', { cwd: folder })
  const names = migrated.functions.map(({ name }) => name.replace(/\(.*/, ''))
  expect(files.map((file) => file.replace('.sql', '')).toSorted()).toEqual([...new Set(names)].toSorted())

  await client.query('begin')
  await client.query(
    migrated.triggers
      .map(({ name }) => `drop trigger ${name.split(' ').toReversed().join(' on ')}`)
      .join(';'),
  )
  for (const file of files) await client.query(readFileSync(join(folder, file), 'utf8'))
  expect(await read()).toEqual(migrated)
  await client.end()
})
