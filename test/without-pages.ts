// The shop without its pages: rendering needs the build; tests of the API do without it.
import type { Site } from '#pages/site.ts'

export const noPages: Site = {
  handle: (c) => c.notFound(),
  renderPage: async () => '',
  answer: async (c, _path, { status = 404 }) => new Response(null, { status }),
  patternOf: () => undefined,
  dropPages() {},
  wrap: (listener) => listener,
}

export const withoutPages = async (): Promise<Site> => noPages
