// Notifies a service that misses the shop when it is silent, as healthchecks.io: BACKUP_PING_URL.
import { failureReason } from '#platform/failure-reason.ts'
import type { Services } from '../../services.ts'

const timeoutMs = 10_000

/** After each good backup and each good rehearsal. A failure is only logged, without the address, which may be a secret. */
export async function ping({ config, log }: Pick<Services, 'config' | 'log'>): Promise<void> {
  const { pingUrl } = config.backup
  if (!pingUrl) return
  try {
    const response = await fetch(pingUrl, { signal: AbortSignal.timeout(timeoutMs) })
    await response.body?.cancel()
    if (!response.ok) log.warn({ status: response.status }, 'BACKUP_PING_URL has refused the call')
  } catch (error) {
    log.warn({ reason: failureReason(error) }, 'BACKUP_PING_URL could not be called')
  }
}
