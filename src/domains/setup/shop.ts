// The services and the refusals of the setup.
import type { BackupShop } from '#domains/backup/shop.ts'
import { setupRefusals } from '#contract/refusals.ts'
import { problems } from '#platform/problem.ts'
import type { Uploads } from '#platform/uploads.ts'
import type { Restoring } from './restoring.ts'

export type SetupShop = BackupShop & {
  restoring: Restoring
  restoreUploads: Uploads
}

export const setupProblem = problems(setupRefusals)
