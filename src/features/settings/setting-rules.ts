// What a change of settings asks for besides being stored.
import type { FieldProblems } from '#platform/contract/field-problems.ts'
import type { Transaction } from '#platform/db/client.ts'
import type { Config, SettingValues } from '../../config.ts'
import { setDayZone } from '../reports/day-zone.ts'
import type { SettingGroupName } from './contract/setting-groups.ts'

/** What contradicts each other, by field. Undefined where nothing does. */
export function findConflicts({ payments }: Config, { shop }: SettingValues): FieldProblems | undefined {
  if (payments?.isLive && !shop.site_url.startsWith('https:'))
    return { site_url: 'Live payments are taken over https only: the address must begin with https://.' }
  return undefined
}

/** The fields that the shop sets itself when others change. */
export function internalFields(
  name: SettingGroupName,
  { shop }: SettingValues,
  changed: Record<string, unknown>,
): Record<string, unknown> {
  if (name !== 'shop' || !('site_url' in changed)) return {}
  return { former_site_urls: [...new Set([...shop.former_site_urls, shop.site_url])] }
}

/** In the transaction that stores them. */
export async function applySettings(
  tx: Transaction,
  before: SettingValues,
  next: SettingValues,
): Promise<void> {
  if (next.shop.time_zone !== before.shop.time_zone) await setDayZone(tx, next.shop.time_zone)
}
