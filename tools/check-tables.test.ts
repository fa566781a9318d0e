import { expect, test } from 'vitest'
import { findTableUses } from './check-tables.ts'

const tables = [
  { name: 'purchases', variable: 'purchases', owner: 'orders' },
  { name: 'auth.audit_log', variable: 'audit_log', owner: 'accounts' },
  { name: 'audit_log', variable: 'audit_log', owner: 'platform' },
] as const

const usesOf = (source: string) =>
  findTableUses(source, tables).map(({ table, isWrite }) => `${isWrite ? 'writes' : 'reads'} ${table.name}`)

test('what SQL reads and writes is found, by schema', () => {
  expect(usesOf('sql`select from auth.audit_log a join purchases b on true`')).toEqual([
    'reads auth.audit_log',
    'reads purchases',
  ])
  expect(usesOf('sql`delete from audit_log`')).toEqual(['writes audit_log'])
  expect(usesOf('sql`\n  insert into purchases (id) select id from audit_log`')).toEqual([
    'reads audit_log',
    'writes purchases',
  ])
})

test('what Drizzle reads and writes is found, also under another name', () => {
  const source = "import { audit_log as events } from '#tables/accounts.ts'\n"
  expect(usesOf(source)).toEqual(['reads auth.audit_log'])
  expect(usesOf(`${source}await tx.update(events).set(set)`)).toEqual(['writes auth.audit_log'])
})

test('a comment uses nothing', () => {
  expect(usesOf('// from purchases\n/** Is written before update purchases. */')).toEqual([])
})
