// Addresses in Stripe's Dashboard.

/** Objects made with a test key have pages of their own. */
export function pageAtStripe(isLive: boolean | null, path: string): string {
  return `https://dashboard.stripe.com/${isLive ? '' : 'test/'}${path}`
}
