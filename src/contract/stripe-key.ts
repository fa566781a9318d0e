import { z } from 'zod'

export const stripeKey = z.string().regex(/^[sr]k_(test|live)_/, 'must begin with sk_test_ or sk_live_')

export function isLiveKey(key: string | undefined): boolean {
  return /^[sr]k_live_/.test(key ?? '')
}
