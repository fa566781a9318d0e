// /api/health with `nonce` proves that this is the shop. /api/ready: started and not stopping, database reachable, disk not full.
import { statfs } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Hono } from 'hono'
import type { Config } from '../../config.ts'
import type { Database } from '../db/client.ts'
import { type Secret, isSignedBy, sign } from '../secret.ts'
import { isProxyIgnored } from './client-ip.ts'
import { apiHeaders } from './errors.ts'
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { errorCode } from '../errors.ts'

/** Files are written in pieces, the database's in pages of 8 kB. */
const freeBytesLimit = 1024 * 1024
/** The response leaves within the second after which a load balancer asks again. */
const responseMs = 800

type HealthNeeds = {
  config: Pick<Config, 'dataDir' | 'trustedProxies'>
  database: Pick<Database, 'pool'>
  secret: Secret
  isStarting: () => boolean
  isStopping: () => boolean
}

export function healthApi({ config, database, secret, isStarting, isStopping }: HealthNeeds): Hono {
  const isDatabaseThere = createProbe(database)
  return new Hono()
    .get('/health', (c) => {
      const nonce = c.req.query('nonce')
      if (nonce === undefined) return c.json({ status: 'ok' }, 200, apiHeaders)
      const isIgnored = isProxyIgnored(c, config.trustedProxies)
      return c.json({ status: 'ok', proof: proveAddress(secret, nonce, isIgnored) }, 200, apiHeaders)
    })
    .get('/ready', async (c) => {
      const fault =
        (isStopping() && 'the shop is stopping') ||
        (isStarting() && 'the shop is starting') ||
        (await findFault(config.dataDir, isDatabaseThere))
      return c.json({ status: fault ?? 'ok' }, fault ? 503 : 200, apiHeaders)
    })
}

async function findFault(
  dataDir: string,
  isDatabaseThere: () => Promise<boolean>,
): Promise<string | undefined> {
  if (!(await isDatabaseThere())) return 'the database is away'
  return (await freeBytes(dataDir)) < freeBytesLimit ? 'the disk is full' : undefined
}

/** Lets further checks take no connection while the database is silent. */
function createProbe({ pool }: HealthNeeds['database']): () => Promise<boolean> {
  let probe: Promise<boolean> | undefined
  return () => {
    probe ??= pool
      .query('select 1')
      .then(
        () => true,
        () => false,
      )
      .finally(() => (probe = undefined))
    return Promise.race([probe, sleep(responseMs, false)])
  }
}

async function freeBytes(folder: string): Promise<number> {
  const result = await statfs(folder).catch(() => undefined)
  return result ? result.bavail * result.bsize : Infinity
}

const timeoutMs = 10_000
const proven = z.object({ proof: z.string() })

/** The proof also says, to the shop alone, whether the proxy is ignored. */
function proveAddress(secret: Secret, nonce: string, isProxyIgnored: boolean): string {
  return sign(proofKey(secret, isProxyIgnored), nonce)
}

function proofKey(secret: Secret, isProxyIgnored: boolean): Buffer {
  return secret.key(isProxyIgnored ? 'own address behind an ignored proxy' : 'own address')
}

type OwnAddress = {
  fault?: string
  isProxyIgnored: boolean
}

export async function askOwnAddress(siteUrl: string, known: readonly Secret[]): Promise<OwnAddress> {
  const nonce = randomUUID()
  try {
    // The proxy may be closing a connection that was kept open: that is no fault of the address.
    const response = await fetch(`${siteUrl}/api/health?nonce=${nonce}`, {
      headers: { connection: 'close' },
      signal: AbortSignal.timeout(timeoutMs),
    })
    const { data } = proven.safeParse(response.ok && (await response.json().catch(() => undefined)))
    for (const isProxyIgnored of [false, true])
      if (data && known.some((secret) => isSignedBy(proofKey(secret, isProxyIgnored), nonce, data.proof)))
        return { isProxyIgnored }
    return {
      fault: `${siteUrl} is not this shop: it responds with ${response.status}`,
      isProxyIgnored: false,
    }
  } catch (error) {
    const words = reason(error)
    const isUnknown = words === 'ENOTFOUND'
    const host = new URL(siteUrl).hostname
    const fault = isUnknown ? `there is no address for ${host}` : `${siteUrl} cannot be reached (${words})`
    return { fault, isProxyIgnored: false }
  }
}

/** fetch says why in the cause of its error. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return `no response within ${timeoutMs / 1000} s`
  return errorCode(error.cause) ?? (error.cause instanceof Error ? error.cause.message : error.message)
}
