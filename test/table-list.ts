// docs/tables.md as data.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type DescribedTable = { name: string; stays: string; deletedBy: string }

export function readTableList(): DescribedTable[] {
  const text = readFileSync(join(import.meta.dirname, '../docs/tables.md'), 'utf8')
  return [...text.matchAll(/^\| `([\w.]+)` *\|[^|]*\|([^|]*)\|([^|]*)\|$/gm)].map(
    ([, name = '', stays = '', deletedBy = '']) => ({
      name,
      stays: stays.trim(),
      deletedBy: deletedBy.trim(),
    }),
  )
}
