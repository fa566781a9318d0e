// The route of the OpenAPI document.
import { Hono } from 'hono'
import type { OpenAPIHono } from '@hono/zod-openapi'
import { once } from '../cached.ts'
import { memoized, type Settings } from '../settings.ts'
import { apiHeaders } from './errors.ts'
import type { ApiEnv } from './route.ts'
import { compress, createContent, respond } from './content.ts'

export function openapiApi(api: OpenAPIHono<ApiEnv>, settings: Settings): Hono {
  const describe = memoized(
    () => settings.get().shop.site_url,
    (siteUrl) =>
      once(async () => {
        const json = JSON.stringify(
          api.getOpenAPI31Document({
            openapi: '3.1.0',
            info: { title: 'Lectern', version: '1', description: 'The shop of one book.' },
            servers: [{ url: `${siteUrl}/api` }],
          }),
        )
        const headers = { ...apiHeaders, 'content-type': 'application/json', 'cache-control': 'no-cache' }
        return createContent(await compress(Buffer.from(json), 'quick'), headers)
      }),
  )
  return new Hono().get('/openapi.json', async ({ req }) => respond(await describe()(), req))
}
