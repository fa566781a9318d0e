// Whether what a folder lists as backups can be restored, and what lies there besides.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { pathToFileURL } from 'node:url'
import { openPlaceAt } from '#domains/backup/backup-targets.ts'
import { objectsOf, type BackupStore } from '#domains/backup/backup-store.ts'

type Inspected = { listed: number; broken: number; unneeded: number }

export async function inspectBackups(dataDir: string): Promise<Inspected> {
  const folder = join(dataDir, 'backups')
  const store = await openPlaceAt(pathToFileURL(folder).href, {}).open()
  const names = await store.list()
  const needed = new Set<string>()
  let broken = 0
  for (const name of names) {
    const isWhole = await readAll(store, name, needed).catch(() => false)
    if (!isWhole) broken += 1
  }
  const isNeeded = (file: string) => names.some((name) => file.startsWith(`${name}.`)) || needed.has(file)
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile())
  return { listed: names.length, broken, unneeded: files.filter(({ name }) => !isNeeded(name)).length }
}

/** Every byte is compared with its checksum. */
async function readAll(store: BackupStore, name: string, needed: Set<string>): Promise<boolean> {
  for (const sha256 of new Set(objectsOf(await store.read(name)))) {
    await pipeline(
      await store.readObject(sha256),
      new Writable({ write: (_chunk, _encoding, done) => done() }),
    )
    needed.add(sha256)
  }
  return true
}
