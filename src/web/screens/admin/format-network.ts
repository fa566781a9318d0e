/** A network address as a person reads it. */
export function formatNetwork(ip: string): string {
  const address = ip.replace(/^::ffff:(?=\d)/i, '')
  return address === '::1' || address.startsWith('127.') ? 'this machine' : address
}
