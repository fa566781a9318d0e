// What backups and the domains after them work with, and how they refuse.
import type { SettingsShop } from '#domains/settings/shop.ts'
import { backupRefusals } from '#contract/refusals.ts'
import { problems } from '#platform/problem.ts'
import type { BackupTargets } from './backup-targets.ts'

export type BackupShop = SettingsShop & {
  /** Follow the settings. */
  backupTargets: () => BackupTargets
}

export const backupProblem = problems(backupRefusals)
