// The built files that browsers fetch, held in memory: no path is ever looked up on the disk.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { createContent, type Content } from '#platform/http/content.ts'

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
  '.xml': 'application/xml',
}

/** By the path they are asked for. The build has put compressed copies beside those that gain by it. */
export function readAssets(folder: string): Map<string, Content> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => extname(name) in types,
  )
  return new Map(
    names.map((name) => {
      const file = join(folder, name)
      const encoded = {
        identity: readFileSync(file),
        br: readIfThere(`${file}.br`),
        gzip: readIfThere(`${file}.gz`),
      }
      return [`/${name}`, createContent(encoded, assetHeaders(name))]
    }),
  )
}

function readIfThere(file: string) {
  return existsSync(file) ? readFileSync(file) : undefined
}

/** What the bundler named after its content never changes; the rest may, with the next build. */
export function assetHeaders(name: string): Record<string, string> {
  return {
    'content-type': types[extname(name)]!,
    'cache-control': name.startsWith('assets/')
      ? 'public, max-age=31536000, immutable'
      : 'public, max-age=3600',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
  }
}
