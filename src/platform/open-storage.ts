// Opens the store of the shop’s files, or one at an address: a folder, or a bucket.
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Config } from '../config.ts'
import { outgoingFolder } from './data-folders.ts'
import type { Storage } from './storage.ts'
import { openBucket } from './bucket-storage.ts'
import { openFolder } from './folder-storage.ts'
import type { BucketAccess } from './bucket-client.ts'

export function openStorage({ storageUrl, dataDir }: Pick<Config, 'storageUrl' | 'dataDir'>): Storage {
  return storageUrl ? openStorageAt(storageUrl, outgoingFolder(dataDir)) : openFolder(join(dataDir, 'files'))
}

export function openStorageAt(address: string, temporaryFolder = tmpdir(), access?: BucketAccess): Storage {
  const url = new URL(address)
  return url.protocol === 's3:' ? openBucket(url, temporaryFolder, access) : openFolder(fileURLToPath(url))
}
