// What is in force for a setting that neither the environment nor an admin has set.
import type { Config, SettingValues } from '../../config.ts'

export function defaultSettings({ port }: Config): SettingValues {
  return { shop: { site_url: `http://localhost:${port}`, former_site_urls: [], time_zone: 'UTC' } }
}
