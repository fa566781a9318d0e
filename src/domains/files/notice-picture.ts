// Takes the Commission's picture of the notice on the legal guarantee, which must not be changed: it is checked, and stored
// byte for byte. The Commission publishes it as SVG, PNG and JPEG, in English as SVG only.
import { open, readFile } from 'node:fs/promises'
import sax from 'sax'
import { v7 as uuidv7 } from 'uuid'
import type { GuaranteeNotice } from '#contract/orders/eu-paper.ts'
import type { Transaction } from '#platform/db/client.ts'
import { pictures } from '#tables/files.ts'
import { deleteUnsettled, insertUnsettled, takeUpload } from './file-import.ts'
import { fileOf, readRenditions } from './pictures.ts'
import { hasAt, readBytes } from './refused.ts'
import { fileProblem, type FilesShop } from './shop.ts'

type Kind = 'svg' | 'png' | 'jpg' | 'pdf' | 'zip' | 'other'
type Checked = Pick<GuaranteeNotice, 'width' | 'height' | 'file'> & { bytes: Buffer }

/** `assign` gives the notice to the settings, in the transaction that inserts its picture. */
export async function importNotice(
  { db, storage, uploads, pictureReader }: FilesShop,
  upload_id: string,
  assign: (tx: Transaction, notice: GuaranteeNotice) => Promise<void>,
): Promise<void> {
  await takeUpload(uploads, upload_id, async ({ path }) => {
    const { bytes, ...checked } = await checkNotice({ pictureReader }, path)
    const notice = { id: uuidv7(), ...checked }
    const stored = fileOf(notice.id, notice.file)
    await insertUnsettled(db, [stored])
    await storage.write(stored, bytes)
    await db.transaction(async (tx) => {
      const { id, width, height, file } = notice
      await tx.insert(pictures).values({ id, width, height, renditions: [file] })
      await assign(tx, notice)
      await deleteUnsettled(tx, [stored])
    })
  })
}

const asPublished = 'Please choose the SVG, PNG or JPEG file as the Commission publishes it.'

const refusals: Record<Exclude<Kind, 'svg' | 'png' | 'jpg'>, string> = {
  pdf: `This is a PDF, which a page cannot show. ${asPublished}`,
  zip: `This is the Commission’s package. Please unpack it, and choose from it the SVG, PNG or JPEG file of your page’s language, in color.`,
  other: asPublished,
}

async function checkNotice(services: Pick<FilesShop, 'pictureReader'>, path: string): Promise<Checked> {
  const kind = await readKind(path)
  if (kind === 'svg') return checkSvg(path)
  if (kind === 'png' || kind === 'jpg') return checkRaster(services, path, kind)
  return refuse(refusals[kind])
}

async function readKind(path: string): Promise<Kind> {
  const file = await open(path)
  try {
    const head = await readBytes(file, 0, 4096)
    if (hasAt(head, 0, '\u0089PNG\r\n')) return 'png'
    if (hasAt(head, 0, '\u00ff\u00d8\u00ff')) return 'jpg'
    if (hasAt(head, 0, '%PDF-')) return 'pdf'
    if (hasAt(head, 0, 'PK\u0003\u0004')) return 'zip'
    return head.includes('<svg') || head.includes('<?xml') ? 'svg' : 'other'
  } finally {
    await file.close()
  }
}

/** The pixels that a page needs at least, on a screen that has two for one. */
const minPixels = 560

async function checkRaster(
  services: Pick<FilesShop, 'pictureReader'>,
  path: string,
  kind: 'png' | 'jpg',
): Promise<Checked> {
  const { width, height, colors } = await readRenditions(services, path)
  if (width < minPixels)
    return refuse(`This picture is only ${width} pixels wide, too few to be read. ${asPublished}`)
  if (!isColored(colors.accent)) return refuse(inGray)
  return { width, height, file: `notice.${kind}`, bytes: await readFile(path) }
}

const inGray =
  'This is the notice in black and white. On a page it has to be in color: please choose that file.'

/** Between the strongest and the weakest of red, green and blue; the black of print is not quite even. */
const minSpread = 40

/** As #0b4f9e or #fff. */
function isColored(hex: string): boolean {
  const digits = hex.length === 4 ? hex.replaceAll(/[0-9a-f]/gi, '$&$&') : hex
  const channels = [1, 3, 5].map((at) => Number.parseInt(digits.slice(at, at + 2), 16))
  return Math.max(...channels) - Math.min(...channels) >= minSpread
}

const maxSvgBytes = 2 * 1024 * 1024

/** Pages show it by an `img` element, in which no script runs and no other file is loaded: an SVG with either is another. */
async function checkSvg(path: string): Promise<Checked> {
  const bytes = await readFile(path)
  if (bytes.length > maxSvgBytes) return refuse(`This SVG is too large. ${asPublished}`)
  const text = bytes.toString('utf8')
  const size = readSvg(text)
  const colors = text.match(/#(?:[0-9a-f]{6}|[0-9a-f]{3})\b/gi) ?? []
  if (colors.length > 0 && !colors.some(isColored)) return refuse(inGray)
  return { ...size, file: 'notice.svg', bytes }
}

type Size = { width: number; height: number }

function readSvg(text: string): Size {
  const options = { xmlns: true, strictEntities: true, position: false }
  const parser = sax.parser(true, options)
  let size: Size | undefined
  // oxlint-disable unicorn/prefer-add-event-listener -- the parser is no EventTarget
  parser.onerror = () => refuse(`This SVG is damaged. ${asPublished}`)
  parser.ondoctype = (doctype) => {
    // Entities of its own could hide anything.
    if (doctype.includes('[')) refuse(`This SVG defines a document type of its own. ${asPublished}`)
  }
  parser.onopentag = (tag) => {
    const attributes = Object.values(tag.attributes).map(readAttribute)
    size ??= sizeOf(tag, attributes)
    const isActive = tag.name.split(':').at(-1)?.toLowerCase() === 'script' || attributes.some(isHandler)
    if (isActive) refuse(`This SVG holds a program, which the Commission’s has not. ${asPublished}`)
    if (attributes.some((attribute) => loadsOther(tag.name, attribute)))
      refuse(`This SVG shows parts of another file, which is not loaded. ${asPublished}`)
  }
  // oxlint-enable unicorn/prefer-add-event-listener
  parser.write(text).close()
  return size ?? refuse(asPublished)
}

type Attribute = { name: string; value: string }

function readAttribute(attribute: string | sax.QualifiedAttribute): Attribute {
  if (typeof attribute === 'string') return { name: '', value: attribute }
  return { name: attribute.local.toLowerCase(), value: attribute.value.trim() }
}

function sizeOf(tag: sax.Tag | sax.QualifiedTag, attributes: readonly Attribute[]): Size {
  const isSvg = 'uri' in tag && tag.local === 'svg' && tag.uri === 'http://www.w3.org/2000/svg'
  const box = attributes.find(({ name }) => name === 'viewbox')?.value ?? ''
  const [, , width = 0, height = 0] = box.split(/[\s,]+/).map(Number)
  if (!isSvg || !(width >= 1) || !(height >= 1)) return refuse(asPublished)
  return { width: Math.round(width), height: Math.round(height) }
}

const isHandler = ({ name, value }: Attribute) => name.startsWith('on') || /^\s*javascript:/i.test(value)

/** A link leads on where it is pressed, and loads nothing before. */
function loadsOther(element: string, { name, value }: Attribute): boolean {
  return name === 'href' && element !== 'a' && !value.startsWith('#') && !value.startsWith('data:image/')
}

function refuse(detail: string): never {
  throw fileProblem('uploads.not_a_picture', { detail })
}
