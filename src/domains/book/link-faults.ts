// Links in the book that lead nowhere: each is requested at a public address that was looked up before.
import { Resolver } from 'node:dns/promises'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { isPublicAddress } from '#platform/public-connection.ts'

const timeoutMs = 5_000

type Address = { address: string; family: 4 | 6 }

/** The shop asks no machine of its own network on behalf of an admin. */
export async function findLinkFault(
  href: string,
  resolve: (name: string) => Promise<Address[]> = resolveName,
  readStatus = askForStatus,
): Promise<string | undefined> {
  const url = URL.parse(href)
  if (!url) return 'is no address'
  const addresses = await resolve(url.hostname.replaceAll(/[[\]]/g, ''))
  const [first] = addresses
  if (!first) return 'could not be reached'
  if (!addresses.every(({ address }) => isPublicAddress(address))) return 'leads into a network of its own'
  try {
    const status = await readStatus(url, first)
    return status === 404 || status === 410 ? 'leads to a page that does not exist' : undefined
  } catch {
    return 'does not respond'
  }
}

/** Asked by its own sockets: the system's resolver would occupy the threads that files need. */
async function resolveName(name: string): Promise<Address[]> {
  const family = isIP(name)
  if (family === 4 || family === 6) return [{ address: name, family }]
  const resolver = new Resolver({ timeout: timeoutMs / 2, tries: 1 })
  const [v4, v6] = await Promise.all([
    resolver.resolve4(name).catch(() => []),
    resolver.resolve6(name).catch(() => []),
  ])
  return [
    ...v4.map((address) => ({ address, family: 4 as const })),
    ...v6.map((address) => ({ address, family: 6 as const })),
  ]
}

/** Connects to the address that was looked at, whatever the name leads to by now. */
function askForStatus(url: URL, { address, family }: Address): Promise<number> {
  const request = url.protocol === 'http:' ? requestHttp : requestHttps
  return new Promise((resolveStatus, reject) => {
    const asking = request(url, {
      signal: AbortSignal.timeout(timeoutMs),
      agent: false,
      headers: { 'user-agent': 'Lectern' },
      lookup: (_name, { all }, done) =>
        all ? done(null, [{ address, family }]) : done(null, address, family),
    })
    asking.on('error', reject)
    asking.on('response', (response) => {
      response.destroy()
      resolveStatus(response.statusCode ?? 0)
    })
    asking.end()
  })
}
