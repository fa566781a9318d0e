import { hasDebianPostgres, openDebianPostgres } from '../../debian-postgres.ts'
import { hasFakeClock } from '../../fake-clock.ts'
import { jumpClock } from '../jump-clock.ts'
import type { Scenario } from '../scenario.ts'

export const scenario: Scenario = {
  fault: 'clock of shop and PostgreSQL jumps −1 h, +1 h, +31 days and back',
  rounds: 2,
  buyers: 4,
  needs:
    hasFakeClock && hasDebianPostgres
      ? ''
      : 'libfaketime and PostgreSQL 15: apt-get install faketime postgresql',
  run: (options) => jumpClock({ ...options, openDatabaseServer: (env) => openDebianPostgres({ env }) }),
}
