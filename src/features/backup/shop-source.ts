// What a shop's backups are made of.
import { join } from 'node:path'
import about from '../../../package.json' with { type: 'json' }
import { readMasterSecret } from '#platform/secret.ts'
import type { Storage } from '#platform/storage.ts'
import type { Config } from '../../config.ts'
import type { BackupSource } from './create-backup.ts'

/** Under the lock of the backups only one run uses it, and what it finds there is left of one that was killed. */
const tmpFolder = (dataDir: string) => join(dataDir, 'backups/tmp')

export function shopSource(config: Config, databaseUrl: string, storage: Storage): BackupSource {
  return {
    databaseUrl,
    storage,
    version: about.version,
    tmpDir: tmpFolder(config.dataDir),
    secret: readMasterSecret(config),
  }
}
