import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { outgoingFolder } from '#platform/outgoing-files.ts'
import type { Services } from '#platform/services.ts'

/** Gives the path of a copy of a stored file, which may be in a bucket; removed afterwards. */
export async function withStoredFile<Result>(
  { config, storage }: Pick<Services, 'config' | 'storage'>,
  { file_path, file_format }: { file_path: string; file_format: string },
  work: (path: string) => Promise<Result>,
): Promise<Result> {
  const folder = outgoingFolder(config.dataDir)
  await mkdir(folder, { recursive: true })
  const path = join(folder, `${randomUUID()}.${file_format}`)
  try {
    await pipeline(await storage.read(file_path), createWriteStream(path, { mode: 0o600 }))
    return await work(path)
  } finally {
    await rm(path, { force: true })
  }
}
