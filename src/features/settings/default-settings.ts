// What is in force for a setting that neither the environment nor an admin has set.
import type { Config, SettingValues } from '../../config.ts'
import { usualTaxCodes } from './contract/tax-codes.ts'

export function defaultSettings({
  port,
  adminEmail = '',
}: Pick<Config, 'port'> & Partial<Pick<Config, 'adminEmail'>>): SettingValues {
  return {
    shop: {
      site_url: `http://localhost:${port}`,
      former_site_urls: [],
      id: null,
      confirmed_site_url: null,
      time_zone: 'UTC',
      currency: 'usd',
    },
    mail: {
      host: '',
      port: 587,
      encryption: 'starttls',
      user: '',
      from_name: '',
      from_address: adminEmail,
      dkim_selector: '',
      is_public_only: false,
    },
    shipping: { countries: ['US'], asks_address: false, price: 0, country_prices: {} },
    tax: { has_tax: false, tax_codes: usualTaxCodes, has_tax_ids: false, has_invoices: false },
    payments: { webhook_site: null, account: null, without_key: 'not_for_sale', had_key: false },
  }
}
