// The services and the refusals of settings, which the domains after them use, too.
import type { CommerceShop } from '#domains/book/shop.ts'
import { settingsRefusals } from '#contract/refusals.ts'
import type { Actor } from '#platform/audit-log.ts'
import type { Transaction } from '#platform/db/client.ts'
import { problems } from '#platform/problem.ts'
import type { SettingValues } from '../../config.ts'

export type SettingsChange = { actor: Actor; before: SettingValues; next: SettingValues }

export type SettingsShop = CommerceShop & {
  /** Called in the transaction that saves the settings of backups. */
  notifyAdminsOfBackups: (
    tx: Transaction,
    services: Pick<CommerceShop, 'queue' | 'clock'>,
    change: SettingsChange,
  ) => Promise<void>
}

export const settingsProblem = problems(settingsRefusals)
