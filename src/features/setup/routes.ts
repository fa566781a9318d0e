// GET /api/admin/first-steps: what is still to be done before the shop is the author's own.
import { createRoute } from '@hono/zod-openapi'
import { firstSteps } from './contract.ts'
import type { Services } from '../../services.ts'
import { readFirstSteps } from './first-steps.ts'
import { bearer, createApi, json, refusal } from '#platform/http/route.ts'

export type FirstStepsApi = ReturnType<typeof firstStepsApi>

export function firstStepsApi(services: Services) {
  const read = createRoute({
    method: 'get',
    path: '/first-steps',
    security: bearer,
    responses: { 200: json(firstSteps, 'Each step, and whether it is done'), ...refusal },
  })
  return createApi().openapi(read, async (c) => c.json(await readFirstSteps(services), 200))
}
