// The site during development: Vite renders each request anew and reloads the browser, on the shop's own port.
import type { Server } from 'node:http'
import type { Context } from 'hono'
import type { ServerBuild } from 'react-router'
import type { ViteDevServer } from 'vite'
import { respond } from '#platform/http/content.ts'
import { createRender } from './render.ts'
import type { Site } from './site.ts'
import { madeOf } from '#platform/settings.ts'
import { runsOnTestKeys, type SiteOptions } from './site-options.ts'
import { siteTexts } from './texts.ts'

export function createDevelopmentSite({ config, settings, log, listProducts }: SiteOptions): Site {
  const vite = Promise.withResolvers<ViteDevServer>()
  const files = madeOf(() => settings.get().shop.site_url, siteTexts)
  async function handle({ req }: Context): Promise<Response> {
    const file = files().get(req.path)
    if (file) return respond(file, req)
    const build = await (await vite.promise).ssrLoadModule('virtual:react-router/server-build')
    const render = createRender(build as ServerBuild, {
      mode: 'development',
      isTestMode: runsOnTestKeys(config),
    })
    const products = await listProducts().catch((error: unknown) => {
      log.warn({ err: error }, 'the products could not be read')
      return undefined
    })
    return render(req.raw, products)
  }
  return {
    handle,
    patternOf: (path) => (files().has(path) ? 'file' : undefined),
    dropPages() {},
    wrap(listener, server) {
      vite.resolve(startVite(server))
      server.on('close', () => void vite.promise.then((running) => running.close()))
      return (request, response) =>
        void vite.promise.then(({ middlewares }) =>
          middlewares(request, response, () => listener(request, response)),
        )
    },
  }
}

async function startVite(server: Server): Promise<ViteDevServer> {
  const { createServer } = await import('vite')
  const vite = await createServer({ server: { middlewareMode: true, hmr: { server } }, appType: 'custom' })
  // A compiler that React Router runs inside Vite would end the process before the shop has closed.
  const impatient = process.listeners('SIGTERM').find(({ name }) => name === 'parentSigtermCallback')
  if (impatient) process.off('SIGTERM', impatient)
  return vite
}
