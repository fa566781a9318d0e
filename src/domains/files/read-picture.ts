// Decodes a picture and encodes its renditions: upright, in sRGB, without metadata. Runs in a process of its own.
import type { PictureColors } from '#contract/files/pictures.ts'
import { stat } from 'node:fs/promises'
import sharp, { type Metadata, type Sharp } from 'sharp'
import {
  iconSides,
  markWidth,
  maxPictureBytes,
  pictureWidths,
  socialSize,
  type Rendition,
} from '#contract/files/renditions.ts'
import { findColors } from './picture-colors.ts'

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
