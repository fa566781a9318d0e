// Decodes a picture and encodes its renditions: upright, in sRGB, without metadata. Runs in a process of its own.
import { fromOklch, toOklch, type Oklch } from '#contract/book/looks.ts'
import type { PictureColors } from '#contract/files/pictures.ts'
import { stat } from 'node:fs/promises'
import sharp, { type Metadata, type Sharp, type CreateText, type OverlayOptions } from 'sharp'
import {
  iconSides,
  markWidth,
  maxPictureBytes,
  pictureWidths,
  socialSize,
  type Rendition,
} from '#contract/files/renditions.ts'

// The colors that a picture is remembered by: of its largest part, and the most vivid one of a part that is seen.

/** Less is seen as gray. */
const minChroma = 0.035
const hueWidth = 20
/** Of all pixels: a smaller part is a speck. */
const minPart = 0.01

type Group = { weight: number; lightness: number; x: number; y: number }

/** `pixels` are red, green and blue, one byte each. */
export function findColors(pixels: Uint8Array): PictureColors {
  const groups = new Map<string, Group>()
  for (let at = 0; at + 2 < pixels.length; at += 3)
    addTo(groups, toOklch(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0))
  const result = [...groups.values()]
  const total = pixels.length / 3
  const seen = result.filter(({ weight }) => weight >= total * minPart)
  const main = largest(seen.length > 0 ? seen : result, ({ weight }) => weight)
  // A large part counts for more, yet not as much more as it is larger: a red ribbon on a gray cover is its accent.
  const vivid = largest(seen, (group) => chromaOf(group) * Math.sqrt(group.weight / total))
  const accent = vivid && chromaOf(vivid) >= minChroma ? vivid : main
  return { main: colorOf(main), accent: colorOf(accent) }
}

/** Grays by their lightness, colors also by their hue. */
function addTo(groups: Map<string, Group>, { lightness, chroma, hue }: Oklch): void {
  const shade = Math.floor(lightness * 5)
  const key = chroma < minChroma ? `gray ${shade}` : `${Math.floor(hue / hueWidth)} ${shade}`
  const group = groups.get(key) ?? { weight: 0, lightness: 0, x: 0, y: 0 }
  groups.set(key, group)
  const angle = (hue * Math.PI) / 180
  group.weight += 1
  group.lightness += lightness
  group.x += chroma * Math.cos(angle)
  group.y += chroma * Math.sin(angle)
}

/** The first of several that are as large. */
function largest(groups: readonly Group[], sizeOf: (group: Group) => number): Group | undefined {
  return groups.reduce<Group | undefined>(
    (best, group) => (best && sizeOf(best) >= sizeOf(group) ? best : group),
    undefined,
  )
}

const chromaOf = ({ weight, x, y }: Group) => Math.hypot(x, y) / weight

function colorOf(group: Group | undefined): string {
  if (!group) return '#808080'
  const hue = ((Math.atan2(group.y, group.x) * 180) / Math.PI + 360) % 360
  return fromOklch({ lightness: group.lightness / group.weight, chroma: chromaOf(group), hue })
}

export type ReadTask = { source: string | Uint8Array }
type ReadPicture = {
  width: number
  height: number
  colors: PictureColors
  files: { name: Rendition; bytes: Uint8Array }[]
}
export type ReadOutcome = { picture: ReadPicture } | { refused: string }

// Whatever a file pretends to be, no other decoder is reached.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp'].flatMap((kind) => [
    `VipsForeignLoad${kind}File`,
    `VipsForeignLoad${kind}Buffer`,
  ]),
})
sharp.cache(false)
sharp.concurrency(1)

const maxWidth = Math.max(...pictureWidths)
/** The cameras of most phones stay below. */
const maxPixels = 65_000_000
const maxDecodedBytes = 160_000_000
const maxRatio = 5

class Refused extends Error {}

export async function readPicture({ source }: ReadTask): Promise<ReadOutcome> {
  try {
    const size = typeof source === 'string' ? (await stat(source)).size : source.byteLength
    if (size === 0) throw new Refused('This file is empty. Please choose the picture again.')
    if (size > maxPictureBytes) throw new Refused('A picture may have 20 MB at most. Please save it smaller.')
    return { picture: await render(source) }
  } catch (error) {
    if (error instanceof Refused) return { refused: error.message }
    throw error
  }
}

async function render(source: string | Uint8Array): Promise<ReadPicture> {
  const about = await open(source).metadata().catch(refuseOther)
  const { width, height } = about.autoOrient
  limitPixels(about)
  // All renditions are made of this one, so that the file is decoded once.
  const { data, info } = await open(source)
    .autoOrient()
    .resize({ width: maxWidth, withoutEnlargement: true })
    .toColourspace('srgb')
    .raw()
    .timeout({ seconds: 20 })
    .toBuffer({ resolveWithObject: true })
    .catch(refuseDamaged)
  const { channels } = info
  const base = () => sharp(data, { raw: { width: info.width, height: info.height, channels } })
  const files: ReadPicture['files'] = []
  const add = async (name: Rendition, image: Sharp) =>
    void files.push({ name, bytes: await image.toBuffer() })
  for (const width of pictureWidths) {
    const sized = base().resize({ width, withoutEnlargement: true })
    await add(`${width}.webp`, sized.clone().webp({ quality: 82 }))
    await add(`${width}.jpg`, sized.flatten({ background: '#ffffff' }).jpeg({ quality: 82, mozjpeg: true }))
  }
  await add('mark.webp', base().resize({ width: markWidth, withoutEnlargement: true }).webp({ quality: 82 }))
  await add('social.jpg', (await fillSize(base, socialSize)).jpeg({ quality: 85, mozjpeg: true }))
  const icon = await (await fillSize(base, { width: 512, height: 512 })).png().toBuffer()
  for (const side of iconSides) await add(`icon-${side}.png`, sharp(icon).resize(side).png({ palette: true }))
  // A circle of 80% of the side is never cut off.
  await add('maskable.png', (await fillSize(base, { width: 512, height: 512 }, 0.2)).png({ palette: true }))
  const few = base().resize({ width: 96, height: 96, fit: 'fill' }).flatten({ background: '#ffffff' })
  const colors = findColors(await few.removeAlpha().toColourspace('srgb').raw().toBuffer())
  return { width, height, colors, files }
}

function open(source: string | Uint8Array): Sharp {
  return sharp(source, { failOn: 'error', limitInputPixels: maxPixels, autoOrient: false })
}

async function fillSize(base: () => Sharp, { width, height }: typeof socialSize, marginPart = 0.06) {
  const margin = Math.round(height * marginPart)
  const front = await base()
    .resize({ width: width - 2 * margin, height: height - 2 * margin, fit: 'inside' })
    .png()
    .toBuffer()
  const back = await base()
    .flatten({ background: '#ffffff' })
    .resize({ width, height, fit: 'cover' })
    .blur(height / 16)
    .modulate({ brightness: 0.7 })
    .png()
    .toBuffer()
  const composed = sharp(back).composite([{ input: front }])
  return sharp(await composed.png().toBuffer())
}

function limitPixels(about: Metadata) {
  const { width, height } = about.autoOrient
  const size = `${width} × ${height} pixels`
  if (width * height > maxPixels || decodedBytes(about) > maxDecodedBytes)
    throw new Refused(
      `This picture has ${size}, which is more than the shop can open. Please save it smaller, for example 1600 pixels wide.`,
    )
  if (Math.max(width / height, height / width) > maxRatio)
    throw new Refused(`This picture has ${size}, which is too narrow to be shown. Please cut it.`)
}

/** Decoders read line by line, except for pictures that come in several passes, WebP, and what must be turned. */
function decodedBytes({ format, width, height, channels, depth, isProgressive, orientation }: Metadata) {
  const pixels = width * height
  if (format === 'jpeg') return isProgressive ? pixels * channels * 2 : 0
  if (format === 'webp') return pixels * 4
  return isProgressive || (orientation ?? 1) > 1 ? pixels * channels * (depth === 'ushort' ? 2 : 1) : 0
}

function refuseOther(error: unknown): never {
  if (/pixel limit/i.test(String(error)))
    throw new Refused(
      'This picture has more pixels than the shop can open. Please save it smaller, for example 1600 pixels wide.',
    )
  throw new Refused(
    'Please choose a JPEG, PNG or WebP picture. Photos and drawings of other kinds can be exported as one of these.',
  )
}

function refuseDamaged(error: unknown): never {
  if (/timeout/i.test(String(error)))
    throw new Refused('This picture takes too long to open. Please save it smaller, as a JPEG.')
  throw new Refused('This picture is damaged and cannot be opened whole. Please export or copy it again.')
}

// Draws a picture of shapes and text, with the shop's own fonts: a server may have none. Runs in the process for pictures.

export type DrawnText = {
  text: string
  x: number
  y: number
  width: number
  height: number
  size: number
  color: string
}

export type DrawTask = {
  /** Without texts: its fonts would be those of the server. */
  svg: string
  texts: DrawnText[]
  fonts: string[]
  kind: 'jpeg' | 'png'
}

export async function drawPicture({ svg, texts, fonts, kind }: DrawTask): Promise<Uint8Array> {
  const drawing = ['VipsForeignLoadSvgBuffer']
  // Never while a file from outside is opened: a process does one task after the other.
  sharp.unblock({ operation: drawing })
  try {
    for (const fontfile of fonts) await paintText('a', 10, { fontfile }).toBuffer()
    const layers: OverlayOptions[] = []
    for (const each of texts) if (each.text) layers.push(await place(each))
    const drawn = sharp(Buffer.from(svg)).composite(layers)
    return await (kind === 'png' ? drawn.png() : drawn.jpeg({ quality: 88, mozjpeg: true })).toBuffer()
  } finally {
    sharp.block({ operation: drawing })
  }
}

async function place({ text, x, y, width, height, size, color }: DrawnText): Promise<OverlayOptions> {
  const markup = `<span foreground="${color}">${escapeMarkup(text)}</span>`
  const lines = await paintText(markup, size, { width: Math.round(width), spacing: Math.round(size * -0.12) })
    .png()
    .toBuffer()
  const { data, info } = await sharp(lines)
    .resize({ width: Math.round(width), height: Math.round(height), fit: 'inside', withoutEnlargement: true })
    .toBuffer({ resolveWithObject: true })
  return { input: data, left: Math.round(x - info.width / 2), top: Math.round(y - info.height / 2) }
}

/** The comma ends the list of families: a number after a name would be a size. At 72 dpi a point is a pixel. */
function paintText(text: string, size: number, rest: Partial<CreateText>) {
  const font = `Fraunces,Source Serif 4, ${size}`
  return sharp({ text: { text, font, dpi: 72, rgba: true, align: 'center', wrap: 'word-char', ...rest } })
}

function escapeMarkup(text: string): string {
  return text.replaceAll(/[&<>"']/g, (letter) => `&#${letter.codePointAt(0)};`)
}
