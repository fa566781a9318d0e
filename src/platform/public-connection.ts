// Connects to public addresses only, so that no admin reaches a machine of the shop’s own network.
import { lookup } from 'node:dns/promises'
import type { LookupAddress } from 'node:dns'
import { connect, isIP, type Socket, BlockList } from 'node:net'
import { isLoopback } from '#contract/network.ts'
import { Agent, type RequestOptions } from 'node:https'
import { connect as connectTls } from 'node:tls'
import type { Duplex } from 'node:stream'
import { callbackify } from 'node:util'

/** The same whatever is there: it reveals nothing of the network. */
export class PrivateHostError extends Error {
  constructor() {
    super('The shop did not connect: the server is not on the internet.')
    this.name = 'PrivateHostError'
  }
}

type Target = { host: string; port: number; timeoutMs: number }
type Find = (host: string) => Promise<LookupAddress[]>

const attemptShare = 0.25

/** Connects to the very addresses that were checked. One private address refuses all. */
export async function connectToPublic(
  { host, port, timeoutMs }: Target,
  {
    find = findAddresses,
    isAllowed = isPublicAddress,
  }: { find?: Find; isAllowed?: typeof isPublicAddress } = {},
): Promise<Socket> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(timedOut()), timeoutMs)
  let socket: Socket | undefined
  try {
    const result = await Promise.race([find(host), late.promise])
    const [first] = result
    if (!first || !result.every(({ address }) => isAllowed(address))) throw new PrivateHostError()
    socket = connect({
      host,
      port,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: timeoutMs * attemptShare,
      lookup: (_host, { all }, done) => (all ? done(null, result) : done(null, first.address, first.family)),
    })
    await Promise.race([connected(socket), late.promise])
    return socket
  } catch (error) {
    socket?.destroy()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** Throws a PrivateHostError, or the error of the look-up. A name may lead elsewhere later, so each connection is checked, too. */
export async function requirePublicHost(host: string): Promise<void> {
  const addresses = await findAddresses(host)
  if (!addresses.every(({ address }) => isPublicAddress(address))) throw new PrivateHostError()
}

type Connected = (error: Error | null, stream: Duplex) => void

/** Https to public addresses only, at one of `ports`: each connection is checked by `connectToPublic`. */
export class PublicAgent extends Agent {
  private readonly limits: { ports: readonly number[]; timeoutMs: number }

  constructor(limits: PublicAgent['limits']) {
    super({ maxSockets: Infinity })
    this.limits = limits
  }

  override createConnection(options: RequestOptions, done?: Connected): undefined {
    const host = String(options.host)
    const port = Number(options.port)
    const { ports, timeoutMs } = this.limits
    const connecting = ports.includes(port)
      ? connectToPublic({ host, port, timeoutMs })
      : Promise.reject(new PrivateHostError())
    const secured = connecting.then((socket) => connectTls({ ...tlsOptions(options), socket }))
    if (done) callbackify(() => secured)(done)
  }
}

function tlsOptions({ host, servername }: RequestOptions & { servername?: string }) {
  const name = servername ?? String(host)
  return isIP(name) ? { host: name } : { servername: name }
}

async function findAddresses(host: string): Promise<LookupAddress[]> {
  const family = isIP(host)
  return family ? [{ address: host, family }] : lookup(host, { all: true })
}

function connected(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(error instanceof AggregateError ? error.errors.at(-1) : error)
    socket.once('error', fail)
    socket.once('connect', () => {
      socket.off('error', fail)
      resolve()
    })
  })
}

const timedOut = () => Object.assign(new Error('Connection timeout'), { code: 'ETIMEDOUT' })

/** IANA's special-purpose addresses, multicast, and a virtual address of Azure's machines. */
const inside = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  inside.addSubnet(network, bits, 'ipv4')

/** Allocated addresses; excluded above: Teredo and others, documentation, and 6to4, which holds an IPv4 address. */
const global = new BlockList()
global.addSubnet('2000::', 3, 'ipv6')
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  inside.addSubnet(network, bits, 'ipv6')

/** False also for an IPv4 address in the form of an IPv6 one. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address)
  if (version === 4) return !inside.check(address, 'ipv4')
  return version === 6 && global.check(address, 'ipv6') && !inside.check(address, 'ipv6')
}

/** Never on the internet: RFC 6762, RFC 8375, what ICANN reserves, and what it never delegates. */
const localEnding = /\.(local|home\.arpa|internal|lan|home|corp)$/

/**
 * Returns from where an address can be opened, as far as it says itself. Names are not looked up: a server often knows its
 * own by an address of its network.
 */
export function scopeOf(siteUrl: string): 'computer' | 'network' | 'internet' {
  if (isLoopback(siteUrl)) return 'computer'
  const host = new URL(siteUrl).hostname.replace(/\.$/, '')
  const address = host.replace(/^\[(.+)\]$/, '$1')
  if (isIP(address)) return isPublicAddress(address) ? 'internet' : 'network'
  return host.includes('.') && !localEnding.test(host) ? 'internet' : 'network'
}
