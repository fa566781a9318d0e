import type { Context } from 'hono'
import type { z } from 'zod'
import { readFieldProblems } from '../contract/field-problems.ts'
import { problemCodeHeader } from '../contract/problems.ts'
import { PlatformRefusal } from '../refusal.ts'
import { renderProblem, renderRefusals } from './errors.ts'

/** A server's failure stays a problem document, which names the request's id. */
export const functionRefusals = renderRefusals((refusal, c, request_id) => {
  if (refusal.status >= 500) return renderProblem(refusal, c, request_id)
  const [complaint] = Object.values(refusal.fields ?? {})
  c.header(problemCodeHeader, refusal.code)
  return c.json({ success: false, error: complaint ?? refusal.message }, refusal.status)
})

export async function readFunctionRequest<Schema extends z.ZodType>(
  c: Context,
  schema: Schema,
): Promise<z.output<Schema>> {
  const input: unknown = await c.req.json().catch(() => {
    throw new PlatformRefusal('request.malformed')
  })
  const parsed = schema.safeParse(input)
  if (!parsed.success) {
    throw new PlatformRefusal('request.invalid', { fields: readFieldProblems(parsed.error) })
  }
  return parsed.data
}
