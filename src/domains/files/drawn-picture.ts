// Draws a picture of shapes and text, with the shop's own fonts: a server may have none. Runs in the process for pictures.
import sharp, { type CreateText, type OverlayOptions } from 'sharp'

export type DrawnText = {
  text: string
  x: number
  y: number
  width: number
  height: number
  size: number
  color: string
  /** Its letters are heavier: the thin strokes of large ones would vanish. */
  isSmall?: boolean
}

/** A JPEG that the shop has made, of the same shape as its place. */
type PlacedPicture = { bytes: Uint8Array; x: number; y: number; width: number; height: number }

export type DrawTask = {
  /** The picture has no texts: their fonts would be those of the server. */
  svg: string
  picture?: PlacedPicture
  texts: DrawnText[]
  fonts: string[]
  kind: 'jpeg' | 'png'
}

export async function drawPicture({ svg, picture, texts, fonts, kind }: DrawTask): Promise<Uint8Array> {
  const layers: OverlayOptions[] = picture ? [await placePicture(picture)] : []
  const drawing = ['VipsForeignLoadSvgBuffer']
  // Never while a file from outside is opened: a process does one task after the other.
  sharp.unblock({ operation: drawing })
  try {
    for (const fontfile of fonts) await paintText('a', 10, { fontfile }).toBuffer()
    for (const each of texts) if (each.text) layers.push(await place(each))
    const drawn = sharp(Buffer.from(svg)).composite(layers)
    return await (kind === 'png' ? drawn.png() : drawn.jpeg({ quality: 88, mozjpeg: true })).toBuffer()
  } finally {
    sharp.block({ operation: drawing })
  }
}

async function placePicture({ bytes, x, y, width, height }: PlacedPicture): Promise<OverlayOptions> {
  return {
    input: await sharp(bytes).resize({ width, height, fit: 'fill' }).png().toBuffer(),
    left: x,
    top: y,
  }
}

async function place(drawn: DrawnText): Promise<OverlayOptions> {
  const { text, x, y, width, height, size, color, isSmall = false } = drawn
  // The font of small letters (tools/fonts.ts) is the one of this weight.
  const weight = isSmall ? ' weight="600"' : ''
  const markup = `<span foreground="${color}"${weight}>${escapeMarkup(text)}</span>`
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
