// The addresses that only this machine reaches: many shops have the same.

const hosts = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])\.?$/

export function isLoopback(site: string): boolean {
  return URL.canParse(site) && hosts.test(new URL(site).hostname)
}

export const mailPorts: readonly number[] = [25, 465, 587, 2525]
export const bucketPorts: readonly number[] = [443, 8443, 9000]
export const webhookPorts: readonly number[] = [443]
