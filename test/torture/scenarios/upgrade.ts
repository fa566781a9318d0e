// The shops behind nginx are upgraded in turn: each new version brings a migration, and sells beside the version before.
import { hasNginx } from '../../nginx.ts'
import { buildNextVersion } from '../next-version.ts'
import { rollShops } from '../rolling-shops.ts'
import type { Scenario } from '../scenario.ts'

export const scenario: Scenario = {
  fault: 'two shops behind nginx upgraded in turn',
  rounds: 8,
  buyers: 8,
  needs: hasNginx ? '' : 'nginx: apt-get install nginx-light',
  async run(options) {
    const { dataDir, rounds } = options
    const versions = Math.ceil(rounds / 2)
    let newest: string | undefined
    return rollShops(
      options,
      async (round) => (round % 2 ? newest : (newest = await buildNextVersion(dataDir, round / 2 + 1))),
      async ({ pool }) => {
        const { rowCount } = await pool.query(
          `select from pg_tables where schemaname = 'public' and tablename like 'next\\_%'`,
        )
        return { 'versions whose migration did not run': versions - (rowCount ?? 0) }
      },
    )
  },
}
