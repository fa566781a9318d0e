// A copy of the shop that runs at another address: an admin says that it is the shop now.
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import type { Actor } from '../audit/audit-log.ts'
import { saveSettings } from '../settings/save-settings.ts'
import { readSettings } from '../settings/stored-settings.ts'

type Needs = Pick<Services, 'db' | 'database' | 'config' | 'secrets' | 'settings' | 'clock'>

/**
 * From then on it takes payments at `site_url`, which is the address that the admin saw. Confirmed once more, nothing
 * changes.
 */
export async function confirmCopy(services: Needs, actor: Actor, site_url: string): Promise<void> {
  const { db, secrets, settings } = services
  if (settings.get().shop.site_url !== site_url) throw new Problem('settings.changed')
  const { revision } = (await readSettings(db, secrets))('shop')
  const values = { confirmed_site_url: site_url }
  await saveSettings(services, actor, 'shop', { revision, values, isChecked: true })
}
