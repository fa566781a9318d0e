// A database as the version before left it: with the first migration only.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { z } from 'zod'
import { openDatabase, type Database } from '#platform/db/client.ts'
import { migrateTo, shippedMigrations } from '#platform/db/migrate.ts'
import { createTestDatabase } from './database.ts'

const journalFile = z.looseObject({ entries: z.array(z.looseObject({ when: z.number() })) })

/** In milliseconds since 1970, as newestMigration. */
export function firstMigration(): number {
  const journal = readFileSync(join(shippedMigrations, 'meta/_journal.json'), 'utf8')
  return Math.min(...journalFile.parse(JSON.parse(journal)).entries.map(({ when }) => when))
}

export async function openFirstSchema(): Promise<Database & AsyncDisposable> {
  const empty = await createTestDatabase({ empty: true })
  const client = new Client(empty.url)
  await client.connect()
  await migrateTo(client, firstMigration())
  await client.end()
  const database = openDatabase(empty.url)
  return Object.assign(database, {
    async [Symbol.asyncDispose]() {
      await database.close()
      await empty[Symbol.asyncDispose]()
    },
  })
}
