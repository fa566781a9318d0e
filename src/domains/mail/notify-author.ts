import { createHash } from 'node:crypto'
import type { Db, Transaction } from '#platform/db/client.ts'
import type { Services } from '../../services.ts'
import { authorEmailJob, type AuthorEmailName } from '#domains/operations/author-emails.ts'

/** Once for each name and id, however often it is called. */
export function notifyAuthor(
  db: Db | Transaction,
  { queue }: Pick<Services, 'queue'>,
  name: AuthorEmailName,
  id: string,
): Promise<void> {
  const hash = createHash('sha256').update(`${authorEmailJob.name} ${name} ${id}`).digest('hex')
  // A UUID of version 8 (RFC 9562): its bits are the application's.
  const jobId = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-')
  return queue.enqueue(db, authorEmailJob, { name, id }, jobId)
}
