import type { Refusals } from '../problems.ts'

export const backupRefusals = {
  'backups.busy': [409, 'A backup or a rehearsal is under way already. Wait until it is done.'],
} as const satisfies Refusals
