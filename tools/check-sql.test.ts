import { expect, test } from 'vitest'
import { findLostBackslashes } from './check-sql.ts'

test('a backslash that a template of SQL loses is found, wherever the template stands', () => {
  const source = [
    "const a = sql`select '^\\d+' ${sql`",
    "'\\s'`}`",
    "const b = sql<string>`'\\.'`",
    "const fine = [sql`'\\\\d' E'\\n'`, `\\d`, String.raw`\\d`, /\\d/]",
  ].join('\n')
  expect(findLostBackslashes('a.ts', source)).toEqual([1, 2, 3])
})
