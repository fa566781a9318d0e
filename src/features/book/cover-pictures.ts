// Pictures of the drawn cover, for links and mails, where neither the reader's fonts nor style sheets are at hand.
import { ownFile } from '#platform/own-file.ts'
import { once } from '#platform/cached.ts'
import { Problem } from '../../problems.ts'
import type { DrawnText, DrawTask } from '../pictures/draw-picture.ts'
import { drawnPicture, type WithPictureReader } from '../pictures/picture-reader.ts'
import type { BookDocument } from './contract/book.ts'
import { resolveLooks } from './contract/looks.ts'
import type { DrawnCover } from './contract/shown-book.ts'
import { coverSize, titleBox } from './drawn-cover.ts'
import { letterSizes } from './fit-size.ts'
import type { WithBook } from './published-book.ts'
import { drawnCoverKey, drawnCoverNames, drawnCoverOf, type DrawnCoverName } from './show-cover.ts'

const fonts = ['vietnamese', 'latin-ext', 'cyrillic-ext', 'cyrillic', 'greek', 'latin'].map(
  (script) => `#web/generated/fonts/letters-${script}.ttf` as const,
)
/** What these fonts can write. In any other script, the picture has no letters. */
const written =
  /^[\u0020-\u024f\u0370-\u03ff\u0400-\u052f\u1e00-\u1eff\u2010-\u2026\u2030\u2039\u203a\u20ac\u2116\u2122]*$/

const paper = '#faf6ee'

export type WithCoverPictures = { coverPictures: ReturnType<typeof openCoverPictures> }

export function openCoverPictures(services: WithBook & WithPictureReader) {
  const drawn = new Map<DrawnCoverName, { key: string; get: () => Promise<Uint8Array> }>()
  return {
    async get(asked: string) {
      const name = drawnCoverNames.find((each) => each === asked)
      if (!name) throw new Problem('request.not_found')
      const { document } = await services.book.getSoon()
      const key = drawnCoverKey(document)
      let entry = drawn.get(name)
      if (entry?.key !== key) {
        entry = { key, get: once(() => drawnPicture(services, describe(name, document))) }
        drawn.set(name, entry)
      }
      return { key, bytes: await entry.get() }
    },
  }
}

function describe(name: DrawnCoverName, document: BookDocument): DrawTask {
  const cover = drawnCoverOf(document)
  const { large, small, subtitle, author } = cover
  const isWritten = written.test([large, small, subtitle, author].join(' ').normalize('NFC'))
  const task = name === 'mail' ? describeCover(cover) : describeCard(cover, document, isWritten)
  return { ...task, texts: isWritten ? task.texts : [], fonts: fonts.map(ownFile) }
}

type Drawing = Pick<DrawTask, 'svg' | 'texts'>

function describeCover(cover: DrawnCover): Drawing {
  const scale = 320 / coverSize.width
  return {
    svg: wrap(320, Math.round(coverSize.height * scale), shapesOf(cover, { x: 0, y: 0, scale })),
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
    svg: wrap(1200, 630, ground + shapesOf(cover, at)),
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

function shapesOf({ ground, shapes }: DrawnCover, { x, y, scale }: Place): string {
  const drawn = shapes.map(({ d, fill, stroke }) => {
    const edge = stroke ? ` stroke="${stroke}" stroke-width="5"` : ''
    return `<path d="${d}" fill="${fill}"${edge}/>`
  })
  const sheet = `<path fill="${ground}" d="M0 0h${coverSize.width}v${coverSize.height}H0z"/>`
  const { width, height } = coverSize
  const place = `x="${x}" y="${y}" width="${width * scale}" height="${height * scale}"`
  return `<svg ${place} viewBox="0 0 ${width} ${height}">${sheet}${drawn.join('')}</svg>`
}

function textsOf({ large, small, subtitle, author, sizes }: DrawnCover, { x, y, scale }: Place): DrawnText[] {
  const unit = (coverSize.width * scale) / 100
  const line = { x: x + 50 * unit, width: titleBox.width * unit, color: paper }
  const sizeOf = (place: number) => (letterSizes[place] ?? 0) * unit
  const hasMore = Boolean(small || subtitle)
  return [
    {
      ...line,
      text: large,
      size: sizeOf(sizes.large),
      y: y + (hasMore ? 24 : 30) * unit,
      height: titleBox.height * unit,
    },
    { ...line, text: small, size: sizeOf(sizes.small), y: y + 45 * unit, height: 10 * unit },
    { ...line, text: subtitle, size: 4.2 * unit, y: y + 54 * unit, height: 6 * unit },
    { ...line, text: author, size: 3.6 * unit, y: y + 147 * unit, height: 4 * unit },
  ]
}
