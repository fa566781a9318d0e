// The places where a shop can keep files, each opened empty: a folder, the test bucket, and Swift where it is installed.
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll } from 'vitest'
import { once } from '#platform/cached.ts'
import type { Storage } from '#platform/storage.ts'
import { openTestBucket } from './s3.ts'
import { hasSwift, startSwift } from './swift.ts'

/** As STORAGE_URL and BACKUP_URL name it. */
export type TestStore = AsyncDisposable & { url: string }

export type Stores = {
  kinds: readonly string[]
  /** Those of them that speak S3. */
  buckets: readonly string[]
  open(kind: string): Promise<TestStore>
  /** A bucket of the strictest server that is here. */
  openStrict(): Promise<TestStore>
}

/** For the tests of one file, which share a Swift; to be called outside of tests. */
export function prepareStores(): Stores {
  const swift = once(startSwift)
  let isStarted = false
  afterAll(async () => {
    if (isStarted) await (await swift())[Symbol.asyncDispose]()
  })
  const opening: Record<string, () => Promise<TestStore>> = {
    folder: openFolder,
    bucket: () => openTestBucket(),
    async Swift() {
      isStarted = true
      const url = await (await swift()).createBucket(`books-${crypto.randomUUID()}`)
      return { url, async [Symbol.asyncDispose]() {} }
    },
  }
  const buckets = ['bucket', ...(hasSwift() ? ['Swift'] : [])]
  const open = (kind: string) => opening[kind]!()
  return { kinds: ['folder', ...buckets], buckets, open, openStrict: () => open(buckets.at(-1)!) }
}

async function openFolder(): Promise<TestStore> {
  const folder = await mkdtempDisposable(join(tmpdir(), 'lectern-files-'))
  return { url: pathToFileURL(folder.path).href, [Symbol.asyncDispose]: () => folder.remove() }
}

export async function listNames(storage: Storage, folder: string): Promise<string[]> {
  const names: string[] = []
  for await (const name of storage.list(folder)) names.push(name)
  return names.toSorted()
}
