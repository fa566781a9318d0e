// A next version of the built shop: the same programs, and a migration more, as an upgrade would bring it.
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const checkout = join(import.meta.dirname, '../..')

type Journal = { entries: { idx: number; when: number; tag: string }[] }

/** `version` counts from 1; each has the migrations of those before. Returns the folder that holds its `dist`. */
export async function buildNextVersion(dataDir: string, version: number): Promise<string> {
  const before = version === 1 ? checkout : join(dataDir, `version-${version - 1}`)
  const root = join(dataDir, `version-${version}`)
  await mkdir(root)
  await symlink(join(checkout, 'node_modules'), join(root, 'node_modules'))
  await cp(join(before, 'dist'), join(root, 'dist'), { recursive: true })
  const migrations = join(root, 'dist/migrations')
  const path = join(migrations, 'meta/_journal.json')
  const journal = JSON.parse(await readFile(path, 'utf8')) as Journal
  const newest = journal.entries.at(-1)!
  const tag = `next_${version}`
  journal.entries.push({ ...newest, idx: newest.idx + 1, when: newest.when + 1, tag })
  await writeFile(path, JSON.stringify(journal))
  await writeFile(join(migrations, `${tag}.sql`), expand(version))
  return root
}

/** Of the kind that the version before runs beside: it only adds. */
function expand(version: number): string {
  const statements = [
    `alter table purchases add column next_${version} text not null default ''`,
    `create index next_${version}_purchases on purchases (next_${version}, created_at)`,
    `create table next_${version} (id uuid primary key)`,
  ]
  return statements.join(';\n--> statement-breakpoint\n')
}
