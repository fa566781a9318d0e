// What every route of the API shares: how a body is read, how a refusal is described, who may call.
import { OpenAPIHono, type z } from '@hono/zod-openapi'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { readFieldProblems } from '../contract/field-problems.ts'
import { problemDocument } from '../contract/problems.ts'
import type { SignedInUser } from './signed-in-user.ts'
import { PlatformRefusal, type Refusal } from '../refusal.ts'

export type RenderRefusal = (refusal: Refusal, c: Context<ApiEnv>, request_id: string) => Response

export type ApiEnv = {
  /** Undefined where a test calls the application without a server. */
  Bindings: HttpBindings | undefined
  Variables: { user: SignedInUser; renderRefusal?: RenderRefusal }
}

/** Whether a pattern is that of a route: what ends with * is middleware, or the handler of unknown paths. */
export function isRoutePattern(pattern: string): boolean {
  return !pattern.endsWith('*')
}

/** An app whose invalid input is a Problem that names each bad field; what can be no id leads nowhere, as an unknown one does. */
export function createApi() {
  return new OpenAPIHono<ApiEnv>({
    defaultHook(result) {
      if (result.success) return
      const fields = readFieldProblems(result.error)
      throw new PlatformRefusal(result.target === 'param' ? 'request.not_found' : 'request.invalid', {
        fields,
      })
    },
  })
}

export function json<Schema extends z.ZodType>(schema: Schema, description: string) {
  return { description, content: { 'application/json': { schema } } }
}

export function body<Schema extends z.ZodType>(schema: Schema) {
  return { body: { required: true, content: { 'application/json': { schema } } } }
}

/** Every route may refuse; the document says why. */
export const refusal = {
  default: { description: 'A refusal', content: { 'application/problem+json': { schema: problemDocument } } },
} as const

export const bearer = [{ bearer: [] }]
