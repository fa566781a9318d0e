// Declares routes of the API: schemas, responses, and refusals of invalid input.
import { OpenAPIHono, z, type RouteConfig } from '@hono/zod-openapi'
import type { HttpBindings } from '@hono/node-server'
import type { Context, MiddlewareHandler } from 'hono'
import { id } from '#contract/fields.ts'
import { readFieldProblems } from '#contract/field-rules.ts'
import { problemDocument } from '#contract/problems.ts'
import { platformProblem, type Problem } from '../problem.ts'
import { clientIp } from './client-ip.ts'
import type { Services } from '../services.ts'
import type { Actor } from '../audit-log.ts'

export type RenderRefusal = (
  refusal: Problem,
  c: Context<ApiEnv>,
  request_id: string,
) => Response | Promise<Response>

export type ApiEnv = {
  Bindings: HttpBindings | undefined
  Variables: { user: SignedInUser; renderRefusal?: RenderRefusal }
}

/** A pattern that ends with * is middleware, or the handler of unknown paths. */
export function isRoutePattern(pattern: string): boolean {
  return !pattern.endsWith('*')
}

/** Invalid input is a Problem that names each bad field; a malformed id is a 404, like an unknown one. */
export function createApi() {
  return new OpenAPIHono<ApiEnv>({
    defaultHook(result) {
      if (result.success) return
      const fields = readFieldProblems(result.error)
      throw platformProblem(result.target === 'param' ? 'request.not_found' : 'request.invalid', {
        fields,
      })
    },
  })
}

export function body<Schema extends z.ZodType>(schema: Schema) {
  return { body: { required: true, content: { 'application/json': { schema } } } }
}

export function ok<Schema extends z.ZodType>(schema: Schema, description: string) {
  return { 200: json(schema, description) }
}

export function created<Schema extends z.ZodType>(schema: Schema, description: string) {
  return { 201: json(schema, description) }
}

export function accepted<Schema extends z.ZodType>(schema: Schema, description: string) {
  return { 202: json(schema, description) }
}

function json<Schema extends z.ZodType>(schema: Schema, description: string) {
  return { description, content: { 'application/json': { schema } } }
}

export const idParam = z.object({ id })

type Extras<Returns> = {
  returns: Returns
  /** Runs before the request is validated. */
  middleware?: MiddlewareHandler<ApiEnv> | MiddlewareHandler<ApiEnv>[]
  isPublic?: boolean
}

export function route<
  const Method extends RouteConfig['method'],
  const Path extends string,
  Request extends NonNullable<RouteConfig['request']>,
  Returns extends RouteConfig['responses'],
>(
  method: Method,
  path: Path,
  { returns, middleware, isPublic = false, ...request }: Request & Extras<Returns>,
) {
  return {
    method,
    path,
    middleware,
    request,
    responses: { ...returns, ...refusal },
    ...(isPublic ? {} : { security: [{ bearer: [] }] }),
  }
}

const refusal = {
  default: { description: 'A refusal', content: { 'application/problem+json': { schema: problemDocument } } },
} as const

export type SignedInUser = {
  id: string
  email: string
  display_name: string | null
  is_admin: boolean
  session_id: string
  aal: 'aal1' | 'aal2'
  has_factor: boolean
  has_password: boolean
  /** The last sign-in by a password or a mailed link, not by a code or a renewed session. */
  signed_in_at: Date
  /** Enrolling a factor does not count. */
  factor_proved_at: Date | null
}

export function actorOf(c: Context<ApiEnv>, { config }: Pick<Services, 'config'>): Actor {
  const { id, email } = c.var.user
  return { id, email, ip: clientIp(c, config.trustedProxies) }
}
