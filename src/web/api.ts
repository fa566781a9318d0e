// The client of the shop’s API, and the types of its responses.
import { hc, type ClientResponse } from 'hono/client'
import type { Api } from '../app.ts'
import { ProblemError, send } from './notices/send.ts'

export { ProblemError, send }

export const api = hc<Api>('/api', { fetch: send })

/** An address's search as the query of a call: the server has the schema, and refuses what does not fit it. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- not parsed here, so that the browser loads no schema
export function searchQuery<Query>(search: URLSearchParams): Query {
  return Object.fromEntries(search) as Query
}

export async function responseOf<Sent extends ClientResponse<unknown>>(
  call: Promise<Sent>,
): Promise<Accepted<Sent>> {
  return (await (await call).json()) as Accepted<Sent>
}

export type Accepted<Sent> =
  Sent extends ClientResponse<infer Body, infer Status, 'json'>
    ? [Status] extends [200 | 201]
      ? Body
      : never
    : never
