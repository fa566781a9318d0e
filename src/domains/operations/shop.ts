import type { BookShop } from '#domains/book/shop.ts'
import type { BackupTargets } from '#domains/backup/backup-targets.ts'
import { operationRefusals } from '#contract/refusals.ts'
import { problems } from '#platform/problem.ts'
import type { Uploads } from '#platform/uploads.ts'
import type { Restoring } from '#domains/setup/restoring.ts'

export type OperationsShop = BookShop & {
  /** Follow the settings. */
  backupTargets: () => BackupTargets
  restoring: Restoring
  restoreUploads: Uploads
}

export const operationProblem = problems(operationRefusals)
