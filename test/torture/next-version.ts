// A next version of the built shop: the same programs, and a migration more, as an upgrade would bring it.
import { cp, mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { addMigration } from '../next-migrations.ts'

const checkout = join(import.meta.dirname, '../..')

/** `version` counts from 1; each has the migrations of those before. Returns the folder that holds its `dist`. */
export async function buildNextVersion(dataDir: string, version: number): Promise<string> {
  const before = version === 1 ? checkout : join(dataDir, `version-${version - 1}`)
  const root = join(dataDir, `version-${version}`)
  await mkdir(root)
  await symlink(join(checkout, 'node_modules'), join(root, 'node_modules'))
  await cp(join(before, 'dist'), join(root, 'dist'), { recursive: true })
  await addMigration(join(root, 'dist/migrations'), `next_${version}`, expand(version))
  return root
}

/** Of the kind that the version before runs beside: it only adds. */
function expand(version: number): string[] {
  return [
    `alter table purchases add column next_${version} text not null default ''`,
    `create index next_${version}_purchases on purchases (next_${version}, created_at)`,
    `create table next_${version} (id uuid primary key)`,
  ]
}
