import { isIP } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { isPublicAddress } from '../public-connection.ts'

/** The n-th entry from the right: callers write what is further left. A unix socket has no address (`local`). */
export function clientIp(c: Context, trustedProxies: number): string {
  const forwarded = c.req.header('x-forwarded-for')?.split(',') ?? []
  const named = trustedProxies > 0 ? forwarded.at(-trustedProxies)?.trim() : undefined
  if (named && isIP(named)) return plain(named)
  const { incoming } = (c.env ?? {}) as Partial<HttpBindings>
  return plain(incoming?.socket.remoteAddress ?? 'local')
}

/** Anybody can write the header, so it counts only in requests of the shop itself and of its admins. */
export function isProxyIgnored(c: Context, trustedProxies: number): boolean {
  const forwarded = c.req.header('x-forwarded-for') ?? c.req.header('forwarded')
  return trustedProxies === 0 && forwarded !== undefined && !isPublicAddress(clientIp(c, 0))
}

/** Of IPv6, the /64 that one machine has at least. */
export function clientNetwork(c: Context, trustedProxies: number): string {
  const ip = clientIp(c, trustedProxies)
  if (isIP(ip) !== 6) return ip
  return prefixOf(ip.split('%', 1)[0] ?? '', 64)
}

/**
 * The network itself, and those around it that one household (/56) or one rented machine (/48) may have of IPv6
 * (RFC 6177), each with the multiple of a limit that it has together.
 */
export function widerNetworks(network: string): [network: string, times: number][] {
  const [address = '', length] = network.split('/')
  if (length !== '64') return [[network, 1]]
  return [
    [network, 1],
    [prefixOf(address, 56), 4],
    [prefixOf(address, 48), 16],
  ]
}

function prefixOf(address: string, length: 48 | 56 | 64): string {
  const [before = [], after = []] = hostOf(address)
    .split('::')
    .map((part) => part.split(':').filter(Boolean))
  const zeros = Array<string>(8 - before.length - after.length).fill('0')
  const groups = [...before, ...zeros, ...after].slice(0, Math.ceil(length / 16))
  if (length === 56) groups[3] = (Number.parseInt(groups[3] ?? '0', 16) & 0xff00).toString(16)
  return `${hostOf(`${groups.join(':')}::`)}/${length}`
}

/** In the one form that is shortest. */
function hostOf(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1)
}

function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '').toLowerCase()
}
