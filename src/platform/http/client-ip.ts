// Who calls: the socket's address, or what the trusted proxies in front say.
import { isIP } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { isPublicAddress } from '../public-connection.ts'

/**
 * With `trustedProxies` n, the n-th entry of X-Forwarded-For from the right: everything further left was written
 * by the caller. 0 ignores the header. `local` when the socket has no address, as a unix socket has none.
 */
export function clientIp(c: Context, trustedProxies: number): string {
  const forwarded = c.req.header('x-forwarded-for')?.split(',') ?? []
  const told = trustedProxies > 0 ? forwarded.at(-trustedProxies)?.trim() : undefined
  if (told && isIP(told)) return plain(told)
  const { incoming } = (c.env ?? {}) as Partial<HttpBindings>
  return plain(incoming?.socket.remoteAddress ?? 'local')
}

/**
 * Whether a proxy on this machine or in its network says for whom it asks, and the shop ignores it. Anybody can write the
 * header: it says something of the shop only in requests of the shop itself and of its admins.
 */
export function isProxyIgnored(c: Context, trustedProxies: number): boolean {
  const forwarded = c.req.header('x-forwarded-for') ?? c.req.header('forwarded')
  return trustedProxies === 0 && forwarded !== undefined && !isPublicAddress(clientIp(c, 0))
}

/** What a limit counts by: an IPv6 household has 2^64 addresses of one /64, so they count as one. */
export function clientNetwork(c: Context, trustedProxies: number): string {
  const ip = clientIp(c, trustedProxies)
  if (isIP(ip) !== 6) return ip
  // Through URL: one spelling for each address.
  const { hostname } = new URL(`http://[${ip.split('%', 1)[0]}]`)
  const [before = [], after = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((part) => part.split(':').filter(Boolean))
  const zeros = Array<string>(8 - before.length - after.length).fill('0')
  const prefix = [...before, ...zeros, ...after].slice(0, 4).join(':')
  return `${new URL(`http://[${prefix}::]`).hostname.slice(1, -1)}/64`
}

function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '').toLowerCase()
}
