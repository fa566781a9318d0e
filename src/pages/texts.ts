// The text files of the site, as robots.txt and the sitemap, and the headers of static files.
import { extname } from 'node:path'
import type { PublishedBook } from '#domains/book/published-book.ts'
import type { ShownFacts } from '#domains/book/show-book.ts'
import { createContent, type Content } from '#platform/http/content.ts'

export const fileTypes: Record<string, string> = {
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

export function fileHeaders(name: string): Record<string, string> {
  return {
    'content-type': fileTypes[extname(name)] ?? 'application/octet-stream',
    'cache-control': name.startsWith('assets/')
      ? 'public, max-age=31536000, immutable'
      : 'public, max-age=3600',
    'x-content-type-options': 'nosniff',
    // Pictures stand in mails and previews on pages of others.
    'cross-origin-resource-policy': extname(name) === '.png' ? 'cross-origin' : 'same-origin',
  }
}

const publicPaths = ['/', '/preview']

export const textPaths = ['/robots.txt', '/sitemap.xml', '/manifest.webmanifest']

type DatedBook = Pick<PublishedBook, 'shown' | 'published_at'>

export function siteTexts(siteUrl: string, book: DatedBook): Map<string, Content> {
  const texts = {
    'robots.txt': `User-agent: *\nDisallow: /api/\nDisallow: /dashboard\nDisallow: /account\nDisallow: /admin\n\nSitemap: ${siteUrl}/sitemap.xml\n`,
    'sitemap.xml': sitemap(siteUrl, book),
    'manifest.webmanifest': JSON.stringify(manifest(book.shown)),
  }
  return new Map(
    Object.entries(texts).map(([name, text]) => [
      `/${name}`,
      createContent({ identity: Buffer.from(text) }, fileHeaders(name)),
    ]),
  )
}

/** Dates all pages alike: what they say is published as a whole. */
function sitemap(siteUrl: string, { shown, published_at }: DatedBook): string {
  const paths = [...publicPaths, ...shown.legal.pages.map(({ name }) => `/${name}`)]
  const date = published_at ? `<lastmod>${published_at.toISOString()}</lastmod>` : ''
  const entries = paths.map((path) => `  <url><loc>${new URL(path, siteUrl)}</loc>${date}</url>\n`).join('')
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries}</urlset>\n`
}

const manifest = (book: ShownFacts) => ({
  name: book.title,
  short_name: book.product || book.title,
  description: book.description,
  start_url: '/',
  display: 'minimal-ui',
  background_color: book.looks.page[0],
  theme_color: book.looks.page[0],
  icons: [
    { src: book.cover_files.icon_192, sizes: '192x192', type: 'image/png' },
    { src: book.cover_files.icon_512, sizes: '512x512', type: 'image/png' },
    { src: book.cover_files.maskable, sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  ],
})
