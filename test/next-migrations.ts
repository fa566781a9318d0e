// Migrations as the next version would bring them: those of this one, and one more.
import { cp, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { shippedMigrations } from '#platform/db/migrate.ts'

const journalFile = z.looseObject({
  entries: z.array(z.looseObject({ idx: z.number(), when: z.number(), tag: z.string() })),
})

export async function makeNextMigrations(
  ...statements: string[]
): Promise<AsyncDisposable & { path: string }> {
  const folder = await mkdtempDisposable(join(tmpdir(), 'lectern-migrations-'))
  await cp(shippedMigrations, folder.path, { recursive: true })
  await addMigration(folder.path, 'next', statements)
  return folder
}

export async function addMigration(folder: string, tag: string, statements: string[]): Promise<void> {
  const path = join(folder, 'meta/_journal.json')
  const journal = journalFile.parse(JSON.parse(await readFile(path, 'utf8')))
  const newest = journal.entries.at(-1)
  if (!newest) throw new Error(`there is no migration in ${folder}`)
  journal.entries.push({ ...newest, idx: newest.idx + 1, when: newest.when + 1, tag })
  await writeFile(path, JSON.stringify(journal))
  await writeFile(join(folder, `${tag}.sql`), statements.join(';\n--> statement-breakpoint\n'))
}
