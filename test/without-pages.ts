// The shop without its pages: rendering needs the build; tests of the API do without it.
import type { Site } from '#pages/site.ts'

export async function withoutPages(): Promise<Site> {
  return {
    handle: (c) => c.notFound(),
    renderPage: async () => '',
    patternOf: () => undefined,
    dropPages() {},
    wrap: (listener) => listener,
  }
}
