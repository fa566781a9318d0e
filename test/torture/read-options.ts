// The options of `npm run torture`.
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { failureReason } from '#platform/errors.ts'

const count = z.coerce
  .number('must be a number')
  .int('must be a whole number')
  .min(1, 'must be at least 1')
  .optional()
const schema = z.object({
  only: z.array(z.string()).optional(),
  rounds: count,
  buyers: count,
  seed: z.coerce.number('must be a number').optional(),
  help: z.boolean().default(false),
})

export type Options = z.output<typeof schema>

/** Throws an Error of one sentence for what it does not know, and how it is used. */
export function readOptions(args: readonly string[], names: readonly string[]): Options {
  try {
    const parsed = schema.safeParse(parse(args))
    if (!parsed.success) {
      const [issue] = parsed.error.issues
      throw new Error(`--${issue?.path.join('.')} ${issue?.message}.`)
    }
    const unknown = parsed.data.only?.find((name) => !names.includes(name))
    if (unknown !== undefined) throw new Error(`There is no scenario ${unknown}.`)
    return parsed.data
  } catch (error) {
    // Node adds advice about arguments, of which there are none here.
    const [reason] = failureReason(error).split('. ')
    throw new Error(`${reason}\n\n${describeOptions(names)}`, { cause: error })
  }
}

function parse(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', multiple: true },
      rounds: { type: 'string' },
      buyers: { type: 'string' },
      seed: { type: 'string' },
      help: { type: 'boolean' },
    },
  }).values
}

export function describeOptions(names: readonly string[]): string {
  return `Usage: npm run torture -- [--only SCENARIO]… [--rounds N] [--buyers N] [--seed N]
       Without --only all scenarios, which takes hours: ${names.join(', ')}`
}
