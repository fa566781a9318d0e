// Whether an address leads to this shop: it asks there for a proof that only its secret can make.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { errorCode } from '../error-code.ts'
import { isSignedBy, sign, type Secret } from '../secret.ts'

const patienceMs = 10_000
const proven = z.object({ proof: z.string() })

export function proveAddress(secret: Secret, nonce: string): string {
  return sign(secret.key('own address'), nonce)
}

/** Undefined where a process of this shop responds at `siteUrl`; else why not, in words. */
export async function findAddressFault(
  siteUrl: string,
  known: readonly Secret[],
): Promise<string | undefined> {
  const nonce = randomUUID()
  try {
    const response = await fetch(`${siteUrl}/api/health?nonce=${nonce}`, {
      signal: AbortSignal.timeout(patienceMs),
    })
    const body = response.ok ? proven.safeParse(await response.json().catch(() => undefined)) : undefined
    if (
      body?.success &&
      known.some((secret) => isSignedBy(secret.key('own address'), nonce, body.data.proof))
    )
      return undefined
    return `${siteUrl} is not this shop: it responds with ${response.status}`
  } catch (error) {
    return `${siteUrl} cannot be reached (${reason(error)})`
  }
}

/** fetch says why in the cause of its error. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return `no response within ${patienceMs / 1000} s`
  return errorCode(error.cause) ?? (error.cause instanceof Error ? error.cause.message : error.message)
}
