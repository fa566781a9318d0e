// Makes what the site serves and git does not keep, from content/book.ts and the fonts:
//   src/web/generated/cover.svg, favicon.svg, fonts.css, fonts/*.woff2, fonts/{,small-}letters-*.ttf
//   src/web/generated/public/ (the site's root): favicon.ico, apple-touch-icon.png, icon-192.png, icon-512.png, social.png
import { mkdir, rename, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Resvg } from '@resvg/resvg-js'
import { drawCover } from './cover.ts'
import { drawIcon, drawMark, drawSocialCard } from './emblems.ts'
import { cutCoverLetters } from './fonts.ts'
import { pageFontFaces, pageFonts } from './page-fonts.ts'

const root = new URL('../', import.meta.url)
const folder = new URL('src/web/generated/', root)
const assets: Record<string, () => Promise<string | Buffer>> = {
  'cover.svg': drawCover,
  'favicon.svg': async () => drawMark(),
  ...pageFonts,
  'fonts.css': pageFontFaces,
  'public/favicon.ico': async () => wrapIcon(paint(drawMark(), 32)),
  'public/apple-touch-icon.png': async () => paint(drawIcon(), 180),
  'public/icon-192.png': async () => paint(drawIcon(), 192),
  'public/icon-512.png': async () => paint(drawIcon(), 512),
  'public/social.png': async () => paint(await drawSocialCard(), 1200),
}

for (const script of ['latin', 'latin-ext', 'vietnamese', 'greek', 'cyrillic', 'cyrillic-ext'] as const) {
  assets[`fonts/letters-${script}.ttf`] = () => cutCoverLetters(script)
  assets[`fonts/small-letters-${script}.ttf`] = () => cutCoverLetters(script, { isSmall: true })
}

const sources = [
  'content/book.ts',
  'package-lock.json',
  ...['assets', 'cover', 'emblems', 'fonts', 'page-fonts', 'lettering'].map((name) => `tools/${name}.ts`),
]

/** Does nothing when everything is newer than its sources; two processes may run it at once. */
export async function makeAssets(): Promise<void> {
  const made = await Promise.all(Object.keys(assets).map((path) => changedAt(new URL(path, folder))))
  const changed = await Promise.all(sources.map((path) => changedAt(new URL(path, root))))
  if (Math.min(...made) > Math.max(...changed)) return
  for (const [path, make] of Object.entries(assets)) await replace(new URL(path, folder), await make())
}

async function changedAt(file: URL): Promise<number> {
  return (await stat(file).catch(() => undefined))?.mtimeMs ?? 0
}

/** Written aside and moved into place, so that a user never meets half a file. */
async function replace(file: URL, content: string | Buffer): Promise<void> {
  const path = fileURLToPath(file)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(`${path}.${process.pid}`, content)
  await rename(`${path}.${process.pid}`, path)
}

function paint(svg: string, width: number): Buffer {
  return new Resvg(svg, { fitTo: { mode: 'width', value: width }, font: { loadSystemFonts: false } })
    .render()
    .asPng()
}

/** An .ico of one 32-pixel picture: its directory, then the PNG itself. */
function wrapIcon(png: Buffer): Buffer {
  const directory = Buffer.alloc(22)
  directory.writeUInt16LE(1, 2)
  directory.writeUInt16LE(1, 4)
  directory.writeUInt8(32, 6)
  directory.writeUInt8(32, 7)
  directory.writeUInt16LE(1, 10)
  directory.writeUInt16LE(32, 12)
  directory.writeUInt32LE(png.length, 14)
  directory.writeUInt32LE(directory.length, 18)
  return Buffer.concat([directory, png])
}

if (import.meta.main) await makeAssets()
