// Deletes mails that were kept long ago, as their records are: addresses and words of buyers are in them.
import { outboxFolder } from '#platform/outbox.ts'
import { removeOldFiles } from '#platform/outgoing-files.ts'
import type { Services } from '../../services.ts'
import { retentionDays } from '../mails/sweep-mails.ts'

export async function sweepOutbox({ config, clock }: Pick<Services, 'config' | 'clock'>): Promise<void> {
  await removeOldFiles(outboxFolder(config), new Date(clock().getTime() - retentionDays * 24 * 3_600_000))
}
