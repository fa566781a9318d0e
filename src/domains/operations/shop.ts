import type { BookShop } from '#domains/book/shop.ts'
import type { BackupTargets } from './backup-targets.ts'

export type OperationsShop = BookShop & { backupTargets: BackupTargets }
