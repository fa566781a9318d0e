// Opens the place for files that a setting names.
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config } from '../config.ts'
import { openBucket } from './bucket-storage.ts'
import { openFolder } from './folder-storage.ts'
import { outgoingFolder } from './outgoing-files.ts'
import type { Storage } from './storage.ts'

/** The shop's files: STORAGE_URL, else a folder in DATA_DIR. */
export function openStorage({ storageUrl, dataDir }: Pick<Config, 'storageUrl' | 'dataDir'>): Storage {
  return storageUrl ? openStorageAt(storageUrl, outgoingFolder(dataDir)) : openFolder(join(dataDir, 'files'))
}

/**
 * `file:` or `s3:`, as in STORAGE_URL. The client for S3 is loaded with the first file. Streams to a bucket are copied to
 * `temporaryFolder` first.
 */
export function openStorageAt(address: string, temporaryFolder = tmpdir()): Storage {
  const url = new URL(address)
  return url.protocol === 's3:' ? openBucket(url, temporaryFolder) : openFolder(fileURLToPath(url))
}
