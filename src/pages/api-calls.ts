// Calls of the API by pages that answer without scripts: with its rules, limits and words.
import type { Context } from 'hono'
import { problemDocument } from '#contract/problems.ts'
import type { ApiEnv } from '#platform/http/route.ts'
import type { FormAnswer, PageAnswer } from './page-answer.ts'

export type Call = { method?: 'GET' | 'POST' | 'PUT' | 'DELETE'; path: string; json?: unknown }

/** Calls have the environment of the request that they answer. */
export type CallApi = (c: Context<ApiEnv>, call: Call) => Promise<Response>

type Fetch = (request: Request, env: ApiEnv['Bindings']) => Response | Promise<Response>

/** Passes on what the limits count by, and nothing that would sign in. */
export function internalApiClient(fetch: Fetch): CallApi {
  return async (c, { method = 'POST', path, json }) => {
    const headers = new Headers({ 'content-type': 'application/json' })
    for (const name of ['x-forwarded-for', 'forwarded', 'host']) {
      const value = c.req.header(name)
      if (value) headers.set(name, value)
    }
    const request = new Request(new URL(path, c.req.url), { method, headers, body: JSON.stringify(json) })
    return fetch(request, c.env)
  }
}

export type Refusal = Pick<FormAnswer, 'problems' | 'notice'> & { code: string }

export async function readRefusal(response: Response): Promise<Refusal> {
  const { code, fields, detail } = problemDocument.parse(await response.json())
  return fields ? { code, problems: fields } : { code, notice: detail }
}

/** Picks what a page shows of the response. */
export function pageStatus({ status, headers }: Response): Pick<PageAnswer, 'status' | 'retryAfter'> {
  return { status, retryAfter: Number(headers.get('retry-after')) || undefined }
}
