// The address and the network of a client, also behind proxies.
import { isIP } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { isPublicAddress } from '../public-connection.ts'

/** The n-th entry from the right: callers write what is further left. A unix socket has no address (`local`). */
export function clientIp(c: Context, trustedProxies: number): string {
  const named = trustedProxies > 0 ? forwardedFor(c).at(-trustedProxies) : undefined
  const { incoming } = (c.env ?? {}) as Partial<HttpBindings>
  return readAddress(named ?? '') ?? readAddress(incoming?.socket.remoteAddress ?? '') ?? 'local'
}

/** `X-Forwarded-For`, or where a proxy writes that instead, `for` of `Forwarded` (RFC 7239). */
function forwardedFor({ req }: Context): string[] {
  const entries = req.header('x-forwarded-for')?.split(',')
  const isFor = /(?:^|;)\s*for\s*=\s*("[^"]*"|[^;\s]*)/i
  return (
    entries ??
    req
      .header('forwarded')
      ?.split(',')
      .map((each) => isFor.exec(each)?.[1] ?? '') ??
    []
  )
}

/** Proxies write it in quotation marks, with a port, in brackets, with a zone, or one of IPv4 in the form of IPv6. */
function readAddress(entry: string): string | undefined {
  const text = entry.trim().replaceAll('"', '')
  const [, bracketed, withPort] = /^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text) ?? []
  const address = (bracketed ?? withPort ?? text).split('%', 1)[0] ?? ''
  if (isIP(address) !== 6) return isIP(address) ? address : undefined
  const host = hostOf(address)
  const [, high, low] = /^::ffff:([\da-f]+):([\da-f]+)$/.exec(host) ?? []
  if (!high || !low) return host
  const bytes = [high, low].flatMap((group) => {
    const value = Number.parseInt(group, 16)
    return [value >> 8, value & 0xff]
  })
  return bytes.join('.')
}

/** Anybody can write the header, so it counts only in requests of the shop itself and of its admins. */
export function isProxyIgnored(c: Context, trustedProxies: number): boolean {
  const forwarded = c.req.header('x-forwarded-for') ?? c.req.header('forwarded')
  return trustedProxies === 0 && forwarded !== undefined && !isPublicAddress(clientIp(c, 0))
}

/** Returns the /64 of IPv6 that one machine has at least. */
export function clientNetwork(c: Context, trustedProxies: number): string {
  return networkOf(clientIp(c, trustedProxies))
}

export function networkOf(ip: string): string {
  return isIP(ip) === 6 ? prefixOf(ip, 64) : ip
}

/** True where the request came as visitors' requests do: through the trusted proxies, or directly where there are none. */
export function comesAsExpected(c: Context, trustedProxies: number): boolean {
  return forwardedFor(c).length > 0 === trustedProxies > 0
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

/** Returns the one form that is shortest. */
function hostOf(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1)
}
