// The site while it is being written: Vite renders each request anew and reloads the browser, on the shop's own port.
import type { RequestListener, Server } from 'node:http'
import type { ServerBuild } from 'react-router'
import type { ViteDevServer } from 'vite'
import type { Render, RenderOptions } from './render.ts'

type Development = {
  render: Render
  wrap: (listener: RequestListener, server: Server) => RequestListener
}

export function createDevelopment({ isTestMode }: Pick<RenderOptions, 'isTestMode'>): Development {
  const vite = Promise.withResolvers<ViteDevServer>()
  return {
    async render(request, products) {
      const { createRender } = await import('./render.ts')
      const build = await (await vite.promise).ssrLoadModule('virtual:react-router/server-build')
      return createRender(build as ServerBuild, { mode: 'development', isTestMode })(request, products)
    },
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
