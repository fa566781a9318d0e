// What robots and phones ask a site for: robots.txt, the sitemap, the web manifest.
import { book } from '#content/book.ts'
import { assetHeaders } from './assets.ts'
import { createContent, type Content } from '#platform/http/content.ts'

/** The pages meant to be found; the others are for one person at a time. */
const publicPaths = ['/', '/preview']

export function siteTexts(siteUrl: string): Map<string, Content> {
  const texts = {
    'robots.txt': `User-agent: *\nDisallow: /api/\nDisallow: /dashboard\nDisallow: /admin\n\nSitemap: ${siteUrl}/sitemap.xml\n`,
    'sitemap.xml': sitemap(siteUrl),
    'manifest.webmanifest': JSON.stringify(manifest),
  }
  return new Map(
    Object.entries(texts).map(([name, text]) => [
      `/${name}`,
      createContent({ identity: Buffer.from(text) }, assetHeaders(name)),
    ]),
  )
}

function sitemap(siteUrl: string): string {
  const entries = publicPaths.map((path) => `  <url><loc>${new URL(path, siteUrl)}</loc></url>\n`).join('')
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries}</urlset>\n`
}

const manifest = {
  name: book.title,
  short_name: book.product,
  description: book.description,
  start_url: '/',
  display: 'minimal-ui',
  background_color: '#faf6ee',
  theme_color: '#faf6ee',
  icons: [192, 512].map((size) => ({
    src: `/icon-${size}.png`,
    sizes: `${size}x${size}`,
    type: 'image/png',
  })),
}
