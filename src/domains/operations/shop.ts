import type { BookShop } from '#domains/book/shop.ts'
import type { BackupTargets } from './backup-targets.ts'
import { operationRefusals } from '#contract/refusals.ts'
import { problems } from '#platform/problem.ts'

/** `backupTargets` follow the settings. */
export type OperationsShop = BookShop & { backupTargets: () => BackupTargets }

export const operationProblem = problems(operationRefusals)
