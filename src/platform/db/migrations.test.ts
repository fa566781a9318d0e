// A migration runs while shops of the version before still sell, so it may add, but not remove or restrict. A statement
// that removes what no version uses any more has the comment "-- contract: unused since 0.4.0": no older one than that
// starts on the data afterwards (oldest-release.ts).
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const refusals: [says: string, pattern: RegExp][] = [
  ['drops', /\bdrop\s+(?!default|not\s+null)/],
  ['renames', /\brename\b/],
  ['sets NOT NULL', /\bset\s+not\s+null\b/],
  ['changes a type', /\balter\s+(column\s+)?\S+\s+(set\s+data\s+)?type\b/],
  ['drops a default', /\bdrop\s+default\b/],
  [
    'adds a column that needs a value',
    /\badd\s+(column\s+)?(?!constraint)(?=[^,;]*\bnot\s+null\b)(?![^,;]*\bdefault\b)/,
  ],
  ['adds a constraint', /\badd\s+(constraint|check|unique|foreign|primary|exclude)\b/],
  ['adds a unique index', /\bcreate\s+unique\s+index\b/],
  ['deletes rows', /\b(delete\s+from|truncate)\b/],
]

/** What breaks the version before, which does not use the tables that the same migration makes. */
function findBreaks(migration: string): string[] {
  const statements = migration.split(/--> statement-breakpoint/)
  const created = statements.flatMap((statement) => {
    const [, name] =
      /create\s+(?:unlogged\s+)?table\s+(?:if\s+not\s+exists\s+)?([\w."]+)/i.exec(statement) ?? []
    return name ? [name] : []
  })
  return statements.flatMap((statement) => {
    if (/--\s*contract:\s*unused since \d+\.\d+/i.test(statement)) return []
    // What a function does is done when it is called.
    const plain = statement
      .replaceAll(/--.*$/gm, '')
      .replaceAll(/\$\$.*?\$\$/gs, '')
      .toLowerCase()
    const [, table] = /(?:alter\s+table\s+(?:only\s+)?|\son\s+)([\w."]+)/.exec(plain) ?? []
    if (table && created.some((name) => name.toLowerCase() === table)) return []
    if (/^\s*create\s+table/.test(plain)) return []
    return refusals.filter(([, pattern]) => pattern.test(plain)).map(([says]) => says)
  })
}

// The baseline makes the schema of 0.3.0, the first version that was published; until then it is edited.
const migrations = globSync('migrations/*.sql', { cwd: import.meta.dirname })
  .toSorted()
  .slice(1)

test.each(migrations)('%s leaves the version before running', (file) => {
  expect(findBreaks(readFileSync(join(import.meta.dirname, file), 'utf8'))).toEqual([])
})

test.each([
  ['DROP TABLE "a";', ['drops']],
  ['ALTER TABLE "a" DROP COLUMN "b";', ['drops']],
  ['ALTER TABLE "a" RENAME COLUMN "b" TO "c";', ['renames']],
  ['ALTER TABLE "a" ALTER COLUMN "b" SET NOT NULL;', ['sets NOT NULL']],
  ['ALTER TABLE "a" ALTER COLUMN "b" SET DATA TYPE integer;', ['changes a type']],
  ['ALTER TABLE "a" ALTER COLUMN "b" DROP DEFAULT;', ['drops a default']],
  ['ALTER TABLE "a" ADD COLUMN "b" text NOT NULL;', ['adds a column that needs a value']],
  ['ALTER TABLE "a" ADD CONSTRAINT "b" CHECK (c > 0);', ['adds a constraint']],
  ['CREATE UNIQUE INDEX "b" ON "a" ("c");', ['adds a unique index']],
  ['DELETE FROM "a";', ['deletes rows']],
  ['ALTER TABLE "a" ADD COLUMN "b" text;', []],
  [`ALTER TABLE "a" ADD COLUMN "b" text DEFAULT '' NOT NULL;`, []],
  ['ALTER TABLE "a" ALTER COLUMN "b" DROP NOT NULL;', []],
  ['CREATE INDEX "b" ON "a" ("c"); -- DROP TABLE', []],
  ['CREATE FUNCTION a() RETURNS void LANGUAGE sql AS $$ DELETE FROM b $$;', []],
  [
    'CREATE TABLE "a" ("b" text NOT NULL);--> statement-breakpoint\nCREATE UNIQUE INDEX "c" ON "a" ("b");',
    [],
  ],
  ['-- contract: unused since 0.4.0\nALTER TABLE "a" DROP COLUMN "b";', []],
])('%s', (migration, breaks) => {
  expect(findBreaks(migration)).toEqual(breaks)
})
