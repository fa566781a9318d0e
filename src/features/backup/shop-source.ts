// What a shop's backups are made of.
import { join } from 'node:path'
import about from '../../../package.json' with { type: 'json' }
import { readMasterSecret } from '#platform/secret.ts'
import type { Storage } from '#platform/storage.ts'
import type { Config } from '../../config.ts'
import type { BackupSource } from './create-backup.ts'

export function shopSource(config: Config, databaseUrl: string, storage: Storage): BackupSource {
  return {
    databaseUrl,
    storage,
    version: about.version,
    tmpDir: join(config.dataDir, 'backups'),
    secret: readMasterSecret(config),
  }
}
