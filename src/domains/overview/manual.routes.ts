// The route of the manual, for the admin area.
import { z } from 'zod'
import { createApi, ok, route } from '#platform/http/route.ts'
import { manualPages } from '#contract/overview/manual.ts'
import { readManual } from './manual.ts'

export type ManualApi = ReturnType<typeof manualApi>

const manualPageName = z.enum(manualPages.map(({ name }) => name))

const entry = z.object({ name: manualPageName, title: z.string(), text: z.string() })

/** The blocks are those of `Block`: a list inside a list is too deep a type for the client. */
const wholePage = entry.extend({ blocks: z.array(z.unknown()) })

const page = route('get', '/manual/{name}', {
  params: z.object({ name: manualPageName }),
  returns: ok(wholePage, 'A page, as blocks of plain words'),
})

export function manualApi() {
  return createApi()
    .openapi(
      route('get', '/manual', {
        returns: ok(z.object({ items: z.array(entry) }), 'The pages with their text, to search in'),
      }),
      async (c) => {
        const pages = await readManual()
        return c.json({ items: pages.map(({ name, title, text }) => ({ name, title, text })) }, 200)
      },
    )
    .openapi(page, async (c) => {
      const { name } = c.req.valid('param')
      const match = (await readManual()).find((each) => each.name === name)
      return c.json(wholePage.parse(match), 200)
    })
}
