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

/** An IPv6 household has a /64, so it counts as one. */
export function clientNetwork(c: Context, trustedProxies: number): string {
  const ip = clientIp(c, trustedProxies)
  if (isIP(ip) !== 6) return ip
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
