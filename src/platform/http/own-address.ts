import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { errorCode } from '../errors.ts'
import { isSignedBy, sign, type Secret } from '../secret.ts'

const timeoutMs = 10_000
const proven = z.object({ proof: z.string() })

/** The proof also says, to the shop alone, whether the proxy is ignored. */
export function proveAddress(secret: Secret, nonce: string, isProxyIgnored: boolean): string {
  return sign(proofKey(secret, isProxyIgnored), nonce)
}

function proofKey(secret: Secret, isProxyIgnored: boolean): Buffer {
  return secret.key(isProxyIgnored ? 'own address behind an ignored proxy' : 'own address')
}

export type OwnAddress = {
  fault?: string
  isProxyIgnored: boolean
}

export async function askOwnAddress(siteUrl: string, known: readonly Secret[]): Promise<OwnAddress> {
  const nonce = randomUUID()
  try {
    const response = await fetch(`${siteUrl}/api/health?nonce=${nonce}`, {
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
    return { fault: `${siteUrl} cannot be reached (${reason(error)})`, isProxyIgnored: false }
  }
}

/** fetch says why in the cause of its error. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return `no response within ${timeoutMs / 1000} s`
  return errorCode(error.cause) ?? (error.cause instanceof Error ? error.cause.message : error.message)
}
