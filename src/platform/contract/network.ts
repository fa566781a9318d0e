// Addresses at which only this machine reaches a shop: many shops have the same.

const hosts = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])\.?$/

/** Of an origin; what is no address is none of this machine's. */
export function isLoopback(site: string): boolean {
  return URL.canParse(site) && hosts.test(new URL(site).hostname)
}

/** Of mail servers that take mail to be sent on. */
export const mailPorts: readonly number[] = [25, 465, 587, 2525]
