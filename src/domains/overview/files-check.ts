// The check of stored files: of all that the shop has, or of the one that its opening needs.
import { ok, wrong, type Verdict } from '#contract/checks.ts'

const maxNames = 10

/** `missing` has their names. */
export function filesVerdict(missing: readonly string[], total: number): Verdict {
  const [first] = missing
  if (first === undefined) return ok(total === 1 ? 'the file is stored' : `all ${total} files are stored`)
  if (missing.length === 1)
    return wrong(`${first} is not stored`, 'Upload it, or restore it from a backup.', {
      effect: `nobody gets ${first}`,
    })
  const shown = missing.slice(0, maxNames).join(', ')
  const more = missing.length > maxNames ? ` and ${missing.length - maxNames} more` : ''
  return wrong(
    `${missing.length} of ${total} files are not stored: ${shown}${more}`,
    'Upload them, or restore them from a backup.',
  )
}
