// Pictures of the cover, drawn or uploaded, for links, mails and icons, where neither the reader's fonts nor style sheets are at hand.
import { buffer } from 'node:stream/consumers'
import { once } from '#platform/cached.ts'
import { platformProblem } from '#platform/problem.ts'
import type { Catalogue } from '#domains/catalog/catalogue.ts'
import type { DrawnText, DrawTask } from '#domains/files/drawn-picture.ts'
import { drawnPicture, openPicture } from '#domains/files/pictures.ts'
import type { FilesShop } from '#domains/files/shop.ts'
import type { BookDocument } from '#contract/book/book.ts'
import { coverInk, coverLayout, coverSize } from '#contract/book/cover-layout.ts'
import { resolveLooks } from '#contract/book/looks.ts'
import { drawCover } from '#contract/book/drawn-cover.ts'
import { letterSizes } from '#contract/book/letter-sizes.ts'
import type { DrawnCover } from '#contract/book/shown-book.ts'
import type { Picture } from '#contract/files/pictures.ts'
import { isWritten, pictureFonts } from './picture-letters.ts'
import type { Book } from './published-book.ts'
import { sharePicture, type SharePicture } from './share-picture.ts'
import { drawnCoverFiles, drawnCoverKey, type DrawnCoverFile } from './show-book.ts'

export type CoverPictures = ReturnType<typeof openCoverPictures>

type Services = { book: Book; catalogue: Catalogue } & Pick<FilesShop, 'pictureReader' | 'storage'>

export function openCoverPictures(services: Services) {
  const drawn = new Map<DrawnCoverFile, { key: string; get: () => Promise<Uint8Array> }>()
  return {
    async get(name: string) {
      const file = drawnCoverFiles.find((each) => each === name)
      if (!file) throw platformProblem('request.not_found')
      const { key, describe } = await findPicture(services, file)
      let entry = drawn.get(file)
      if (entry?.key !== key) {
        entry = { key, get: once(async () => drawnPicture(services, await describe())) }
        drawn.set(file, entry)
      }
      return { key, bytes: await entry.get() }
    },
  }
}

type CoverPicture = { key: string; describe: () => DrawTask | Promise<DrawTask> }

async function findPicture(
  { book, catalogue, storage }: Services,
  file: DrawnCoverFile,
): Promise<CoverPicture> {
  const published = await book.getOrStale()
  const { document } = published
  if (file !== 'share.jpg')
    return { key: drawnCoverKey(document), describe: () => describeFile(file, document) }
  const { products } = await catalogue.getOrStale()
  const picture = sharePicture(published, products)
  return { key: picture.key, describe: () => describeShared({ storage }, document, picture) }
}

function describeFile(file: DrawnCoverFile, document: BookDocument): DrawTask {
  const cover = drawCover(document)
  const side = /^icon-(\d+)/.exec(file)?.[1]
  if (side) return { svg: drawIcon(cover, Number(side)), texts: [], fonts: [], kind: 'png' }
  const { large, small, subtitle, author } = cover
  const hasWords = isWritten([large, small, subtitle, author])
  const { svg, texts } =
    file === 'mail.jpg' ? describeCover(cover) : describeCard(document, { cover, hasWords })
  return { svg, texts: hasWords ? texts : [], fonts: pictureFonts(), kind: 'jpeg' }
}

async function describeShared(
  { storage }: Pick<FilesShop, 'storage'>,
  document: BookDocument,
  { cover, formats, isWritten: hasWords }: SharePicture,
): Promise<DrawTask> {
  const picture = document.cover
  const { svg, texts } = describeCard(document, { cover, picture, formats, hasWords })
  const task: DrawTask = { svg, texts: hasWords ? texts : [], fonts: pictureFonts(), kind: 'jpeg' }
  if (!picture) return task
  const { path } = await openPicture({ storage }, picture.id, '640.jpg')
  const bytes = await buffer(await storage.read(path))
  return { ...task, picture: { bytes, ...placeOn(picture, hasWords) } }
}

/** No title can be read at the size of an icon: it shows a square of what is drawn below the title. */
const iconView = '0 1200 2200 2200'

function drawIcon(cover: DrawnCover, side: number): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="${iconView}">${pathsOf(cover)}</svg>`
}

type Drawing = Pick<DrawTask, 'svg' | 'texts'>

function describeCover(cover: DrawnCover): Drawing {
  const scale = 320 / coverSize.width
  return {
    svg: wrap(320, Math.round(coverSize.height * scale), placeCover(cover, { x: 0, y: 0, scale })),
    texts: textsOf(cover, { x: 0, y: 0, scale }),
  }
}

/** The cover stands in the middle of the card where no words are beside it. */
const coverMiddle = (hasWords: boolean) => (hasWords ? 261 : 600)
const cardCover = { y: 60, width: 400, height: 510 }

/** The drawn cover gives way to a picture of another. */
type Card = { cover: DrawnCover; picture?: Picture | null; formats?: string; hasWords: boolean }

function describeCard(document: BookDocument, { cover, picture, formats = '', hasWords }: Card): Drawing {
  const { page, ink, soft } = resolveLooks(document.looks)
  const ground = `<path fill="${page[0]}" d="M0 0h1200v630H0z"/>`
  const { large, small, author, sizes } = cover
  const line = { x: 810, width: 640, color: ink[0] }
  const size = (letterSizes[sizes.large] ?? 0) * 7.6
  const up = formats ? 30 : 0
  const words = [
    { ...line, text: large, size, y: (small ? 250 : 290) - up, height: small ? 280 : 380 },
    { ...line, text: small, size: Math.min(size * 0.42, 62), y: 430 - up, height: 100 },
    { ...line, text: author, size: formats ? 34 : 30, y: formats ? 500 : 550, height: 46, isSmall: true },
    { ...line, text: formats, size: 30, color: soft[0], y: 558, height: 40, isSmall: true },
  ]
  if (picture) {
    const edge = edgeOf(placeOn(picture, hasWords), ink[0])
    return { svg: wrap(1200, 630, ground + edge), texts: words }
  }
  const scale = cardCover.height / coverSize.height
  const at = { x: coverMiddle(hasWords) - (coverSize.width * scale) / 2, y: cardCover.y, scale }
  return { svg: wrap(1200, 630, ground + placeCover(cover, at)), texts: [...textsOf(cover, at), ...words] }
}

type Box = Record<'x' | 'y' | 'width' | 'height', number>

function placeOn(picture: Picture, hasWords: boolean): Box {
  const scale = Math.min(cardCover.width / picture.width, cardCover.height / picture.height)
  const [width, height] = [Math.round(picture.width * scale), Math.round(picture.height * scale)]
  return {
    x: Math.round(coverMiddle(hasWords) - width / 2),
    y: Math.round(cardCover.y + (cardCover.height - height) / 2),
    width,
    height,
  }
}

/** Shows where a cover ends that has the color of the page. */
function edgeOf({ x, y, width, height }: Box, color: string): string {
  const place = `x="${x - 1}" y="${y - 1}" width="${width + 2}" height="${height + 2}"`
  return `<rect ${place} fill="${color}" fill-opacity="0.2"/>`
}

type Place = { x: number; y: number; scale: number }

function wrap(width: number, height: number, shapes: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${shapes}</svg>`
}

function placeCover(cover: DrawnCover, { x, y, scale }: Place): string {
  const { width, height } = coverSize
  const place = `x="${x}" y="${y}" width="${width * scale}" height="${height * scale}"`
  return `<svg ${place} viewBox="0 0 ${width} ${height}">${pathsOf(cover)}</svg>`
}

function pathsOf({ shapes }: DrawnCover): string {
  const drawn = shapes.map(({ d, fill, stroke }) => {
    const edge = stroke ? ` stroke="${stroke}" stroke-width="5"` : ''
    return `<path d="${d}" fill="${fill}"${edge}/>`
  })
  return drawn.join('')
}

function textsOf(cover: DrawnCover, { x, y, scale }: Place): DrawnText[] {
  const { large, small, subtitle, author, sizes } = cover
  const { top, height, width, author: foot } = coverLayout
  const unit = (coverSize.width * scale) / 100
  const line = { x: x + 50 * unit, width: width * unit, color: coverInk }
  const sizeOf = (place: number) => (letterSizes[place] ?? 0) * unit
  /** Both numbers are parts of the height that titles have. */
  const at = (middle: number, high: number) => ({
    y: y + (top + height * middle) * unit,
    height: height * high * unit,
  })
  const hasMore = Boolean(small || subtitle)
  return [
    { ...line, text: large, size: sizeOf(sizes.large), ...at(hasMore ? 0.35 : 0.46, 0.55) },
    { ...line, text: small, size: sizeOf(sizes.small), ...at(0.74, 0.18) },
    { ...line, text: subtitle, size: sizeOf(sizes.subtitle), ...at(small ? 0.91 : 0.8, small ? 0.12 : 0.18) },
    {
      ...line,
      text: author,
      size: sizeOf(sizes.author),
      y: y + foot * unit,
      height: 4 * unit,
    },
  ]
}
