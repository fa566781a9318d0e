// The pattern of the route that a request belongs to, for the log and the metrics: a path may hold ids and tokens.
import type { Hono } from 'hono'
import type { Site } from '#pages/site.ts'
import { isRoutePattern, type ApiEnv } from '#platform/http/route.ts'

type Routes = Pick<Hono<ApiEnv>, 'router'>

/** `unknown` where no route is: such paths are as many as callers invent. */
export function createRouteOf({ router }: Routes, site: Pick<Site, 'patternOf'>) {
  return (method: string, path: string): string => {
    const [matches] = router.match(method === 'HEAD' ? 'GET' : method, path)
    const own = matches.find(([[, route]]) => isRoutePattern(route.path))
    return own?.[0][1].path ?? site.patternOf(path) ?? 'unknown'
  }
}
