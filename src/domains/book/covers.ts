// Pictures of the drawn cover, for links, mails and icons, where neither the reader's fonts nor style sheets are at hand.
import { ownFile } from '#platform/own-file.ts'
import { once } from '#platform/cached.ts'
import { platformProblem } from '#platform/problem.ts'
import type { DrawnText, DrawTask } from '#domains/files/drawn-picture.ts'
import { drawnPicture } from '#domains/files/pictures.ts'
import type { FilesShop } from '#domains/files/shop.ts'
import type { BookDocument } from '#contract/book/book.ts'
import { coverInk, coverLayout, coverSize } from '#contract/book/cover-layout.ts'
import { resolveLooks } from '#contract/book/looks.ts'
import { drawCover } from '#contract/book/drawn-cover.ts'
import { letterSizes } from '#contract/book/letter-sizes.ts'
import type { DrawnCover } from '#contract/book/shown-book.ts'
import type { Book } from './published-book.ts'
import { drawnCoverFiles, drawnCoverKey, type DrawnCoverFile } from './show-book.ts'

const fonts = ['vietnamese', 'latin-ext', 'cyrillic-ext', 'cyrillic', 'greek', 'latin'].map(
  (script) => `#web/generated/fonts/letters-${script}.ttf` as const,
)
/** These fonts can write such letters. The picture has none in any other script. */
const written =
  /^[\u0020-\u024f\u0370-\u03ff\u0400-\u052f\u1e00-\u1eff\u2010-\u2026\u2030\u2039\u203a\u20ac\u2116\u2122]*$/

export type CoverPictures = ReturnType<typeof openCoverPictures>

export function openCoverPictures(services: { book: Book } & Pick<FilesShop, 'pictureReader'>) {
  const drawn = new Map<DrawnCoverFile, { key: string; get: () => Promise<Uint8Array> }>()
  return {
    async get(name: string) {
      const file = drawnCoverFiles.find((each) => each === name)
      if (!file) throw platformProblem('request.not_found')
      const { document } = await services.book.getOrStale()
      const key = drawnCoverKey(document)
      let entry = drawn.get(file)
      if (entry?.key !== key) {
        entry = { key, get: once(() => drawnPicture(services, describe(file, document))) }
        drawn.set(file, entry)
      }
      return { key, bytes: await entry.get() }
    },
  }
}

function describe(file: DrawnCoverFile, document: BookDocument): DrawTask {
  const cover = drawCover(document)
  const side = /^icon-(\d+)/.exec(file)?.[1]
  if (side) return { svg: drawIcon(cover, Number(side)), texts: [], fonts: [], kind: 'png' }
  const { large, small, subtitle, author } = cover
  const isWritten = written.test([large, small, subtitle, author].join(' ').normalize('NFC'))
  const task = file === 'mail.jpg' ? describeCover(cover) : describeCard(cover, document, isWritten)
  return { ...task, texts: isWritten ? task.texts : [], fonts: fonts.map(ownFile), kind: 'jpeg' }
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

function describeCard(cover: DrawnCover, document: BookDocument, isWritten: boolean): Drawing {
  const { page, ink } = resolveLooks(document.looks)
  const scale = 510 / coverSize.height
  const at = { x: isWritten ? 96 : 435, y: 60, scale }
  const ground = `<path fill="${page[0]}" d="M0 0h1200v630H0z"/>`
  const { large, small, author, sizes } = cover
  const line = { x: 810, width: 640, color: ink[0] }
  const size = (letterSizes[sizes.large] ?? 0) * 7.6
  return {
    svg: wrap(1200, 630, ground + placeCover(cover, at)),
    texts: [
      ...textsOf(cover, at),
      { ...line, text: large, size, y: small ? 250 : 290, height: small ? 280 : 380 },
      { ...line, text: small, size: Math.min(size * 0.42, 62), y: 430, height: 100 },
      { ...line, text: author, size: 30, y: 550, height: 40 },
    ],
  }
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
