// What a shop's backups are made of.
import { join } from 'node:path'
import about from '../../../package.json' with { type: 'json' }
import { findSecret, knownSecrets } from '#platform/known-secrets.ts'
import type { Storage } from '#platform/storage.ts'
import type { Config } from '../../config.ts'
import type { BackupSource } from './create-backup.ts'

export function shopSource(config: Config, databaseUrl: string, storage: Storage): BackupSource {
  return {
    databaseUrl,
    storage,
    version: about.version,
    tmpDir: join(config.dataDir, 'backups'),
    secretOf: (fingerprint) => findSecret(knownSecrets(config), fingerprint)?.text,
  }
}
