// The services and the refusals of backups, which the domains after them use, too.
import type { SettingsShop } from '#domains/settings/shop.ts'
import { backupRefusals } from '#contract/refusals.ts'
import { problems } from '#platform/problem.ts'
import type { BackupTargets } from './backup-targets.ts'

export type BackupShop = SettingsShop & {
  /** Follow the settings. */
  backupTargets: () => BackupTargets
}

export const backupProblem = problems(backupRefusals)
