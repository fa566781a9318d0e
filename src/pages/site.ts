// The public pages (page-cache.ts) and files, served from memory; the files of the build are read at the start.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { RequestListener, Server } from 'node:http'
import { extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Context } from 'hono'
import type { ServerBuild } from 'react-router'
import { createContent, respond, type Content } from '#platform/http/content.ts'
import { ownFile } from '#platform/own-file.ts'
import { cachePages } from './page-cache.ts'
import { madeOf } from '#platform/settings.ts'
import type { SiteOptions } from './site-options.ts'
import { fileHeaders, fileTypes, siteTexts } from './texts.ts'

export type Site = {
  /** Handles every GET that no route before it handles. */
  handle: (c: Context) => Response | Promise<Response>
  /** Of the page at a path, with `:id` for what varies; `file` for any file, undefined for neither. */
  patternOf: (path: string) => string | undefined
  /** To be called when the catalogue has changed. */
  dropPages: () => void
  /** While developing, lets Vite handle a request before the shop does. */
  wrap: (listener: RequestListener, server: Server) => RequestListener
}

/** Needs the build. The home page is rendered before it returns. */
export async function openSite(options: SiteOptions): Promise<Site> {
  const entry = ownFile('#build/server/pages.js')
  const build: ServerBuild = await import(pathToFileURL(entry).href)
  const files = readFiles(join(entry, '../../client'))
  const texts = madeOf(() => options.settings.get().shop.site_url, siteTexts)
  const findFile = (path: string) => files.get(path) ?? texts().get(path)
  const { find, patternOf, notFound, home, drop } = cachePages(build, options)
  await home.get()

  // Not async: @hono/node-server spends less on a response that is no promise.
  function handle(c: Context): Response | Promise<Response> {
    const { req } = c
    const found = find(req.path)?.get() ?? findFile(req.path)
    const plain = plainPath(req.path)
    if (!found && find(plain)) return c.redirect(plain + new URL(req.url).search, 308)
    const content = found ?? notFound.get()
    return content instanceof Promise ? content.then((made) => respond(made, req)) : respond(content, req)
  }
  return {
    handle,
    patternOf: (path) => (findFile(path) ? 'file' : patternOf(path)),
    dropPages: drop,
    wrap: (listener) => listener,
  }
}

/** The browser's router ignores capitals and slashes at the end, so such an address must lead to the page. */
function plainPath(path: string): string {
  let end = path.length
  // A pattern would look at a long row of slashes once from each of them.
  while (path[end - 1] === '/') end -= 1
  return path.slice(0, end).toLowerCase() || '/'
}

/** By path. The build puts compressed copies beside the files that are smaller for it. */
function readFiles(folder: string): Map<string, Content> {
  const readIfThere = (file: string) => (existsSync(file) ? readFileSync(file) : undefined)
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return new Map(
    names
      .filter((name) => extname(name) in fileTypes)
      .map((name) => {
        const file = join(folder, name)
        const encoded = {
          identity: readFileSync(file),
          br: readIfThere(`${file}.br`),
          gzip: readIfThere(`${file}.gz`),
        }
        return [`/${name}`, createContent(encoded, fileHeaders(name))]
      }),
  )
}
