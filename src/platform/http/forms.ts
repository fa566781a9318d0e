// Forms of pages, which browsers post without scripts.
import type { MiddlewareHandler, Context } from 'hono'
import { platformProblem } from '../problem.ts'
import type { ApiEnv } from './route.ts'
import { limitBody } from './bodies.ts'

/** Bytes of the longest message in a script whose letters take nine bytes each, as Japanese. */
const maxForm = 96 * 1024

export const limitForm = limitBody(maxForm)

/**
 * True where a page of the shop has sent it. Browsers say so where the page came over https or from this computer
 * (`Sec-Fetch-Site`), and else name the page's origin.
 */
export function isOwnForm(c: Context): boolean {
  const site = c.req.header('sec-fetch-site')
  if (site !== undefined) return site === 'same-origin'
  const origin = c.req.header('origin')
  const host = c.req.header('host')
  // HTTP/1.0 may have no `Host`, or an empty one: the shop's own name in its place says nothing of the page.
  return Boolean(host) && origin !== undefined && URL.canParse(origin) && new URL(origin).host === host
}

export const isForm = (c: Context) =>
  /^application\/x-www-form-urlencoded\b/i.test(c.req.header('content-type') ?? '')

export const onlyForms: MiddlewareHandler<ApiEnv> = async (c, next) => {
  if (!isForm(c)) throw platformProblem('request.unsupported_type')
  await next()
}

/** Takes the last of fields with the same name. */
export async function readForm(c: Context): Promise<Record<string, string>> {
  return Object.fromEntries(new URLSearchParams(await c.req.text()))
}
