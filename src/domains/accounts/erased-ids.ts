// Hashes of what was erased, in the database, in the data folder and in the places of backups: a backup from before an
// erasure has the account, and its restore erases it again. The ids are random, so that nobody guesses them by the hash.
import { sql } from 'drizzle-orm'
import type { Transaction, Db } from '#platform/db/client.ts'
import { createHash } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { queryAll } from '#platform/db/query.ts'
import { unlessMissing } from '#platform/errors.ts'
import type { Config } from '../../config.ts'
import { erased_ids } from '#tables/accounts.ts'

type DataFolder = Pick<Config, 'dataDir'>

const fileOf = ({ dataDir }: DataFolder) => join(dataDir, 'erased-ids.txt')

const hashOf = (id: string) => createHash('sha256').update(id).digest()

export async function insertErasedIds(tx: Transaction, ids: readonly string[]): Promise<void> {
  await insertHashes(
    tx,
    ids.map((id) => hashOf(id).toString('hex')),
  )
}

export async function insertHashes(db: Db | Transaction, hashes: readonly string[]): Promise<void> {
  const values = hashes.map((hash) => ({ hash: Buffer.from(hash, 'hex') }))
  if (values.length > 0) await db.insert(erased_ids).values(values).onConflictDoNothing()
}

export async function isErasedId(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.$count(erased_ids, sql`${erased_ids.hash} = ${hashOf(id)}`)) > 0
}

/** Flushed to the disk: what is committed afterwards is never without it. */
export async function appendErasedIds(data: DataFolder, ids: readonly string[]): Promise<void> {
  const file = await open(fileOf(data), 'a', 0o600)
  try {
    await file.writeFile(ids.map((id) => `${hashOf(id).toString('hex')}\n`).join(''))
    await file.sync()
  } finally {
    await file.close()
  }
}

export async function readErasedFile(data: DataFolder): Promise<string[]> {
  return parseHashes((await readFile(fileOf(data), 'utf8').catch(unlessMissing)) ?? '')
}

export async function listHashes(db: Db): Promise<string[]> {
  const rows = await queryAll(
    db,
    z.object({ hash: z.string() }),
    sql`select encode(hash, 'hex') as hash from erased_ids order by hash`,
  )
  return rows.map(({ hash }) => hash)
}

/** The last line of a file may be cut off, where the machine failed. */
export function parseHashes(content: string): string[] {
  return content.split('\n').filter((line) => /^[\da-f]{64}$/.test(line))
}
