// A trial before the setting is saved: whether Stripe opens a checkout of a file with Link as the seller.
import { tryLink } from '#domains/payments/trial-checkouts.ts'
import { platformProblem } from '#platform/problem.ts'
import { unconfirmedCopyOf } from '#platform/stripe/payments.ts'
import type { SettingGroupName } from '#contract/settings/settings.ts'
import type { SettingsShop } from './shop.ts'
import { previewSettings } from './settings.ts'

/** Asks Stripe once for each change that makes Link sell, or sells another kind of file. Refuses it in Stripe's words. */
export async function trySeller(
  services: SettingsShop,
  name: SettingGroupName,
  values: Record<string, unknown>,
): Promise<void> {
  if (name !== 'tax') return
  const { before, next } = await previewSettings(services, name, values)
  const kindOf = ({ tax }: typeof next) => `${tax.digital_seller} ${tax.tax_codes.digital}`
  const { secret_key: secretKey } = next.payments
  if (next.tax.digital_seller !== 'stripe' || kindOf(before) === kindOf(next) || !secretKey) return
  if (unconfirmedCopyOf(services.settings)) throw platformProblem('payments.not_available')
  const key = { secretKey, apiBase: services.config.stripe.apiBase }
  const refused = await tryLink(services.db, key, next)
  if (refused) throw platformProblem('request.invalid', { fields: { digital_seller: refused } })
}
