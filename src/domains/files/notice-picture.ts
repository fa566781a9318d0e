// Takes the Commission's picture of the notice on the legal guarantee, which must not be changed: it is checked, and stored
// byte for byte. The Commission publishes it as SVG, PNG and JPEG, in English as SVG only.
import { open, readFile } from 'node:fs/promises'
import { v7 as uuidv7 } from 'uuid'
import type { GuaranteeNotice } from '#contract/orders/eu-paper.ts'
import type { Transaction } from '#platform/db/client.ts'
import { pictures } from '#tables/files.ts'
import { deleteUnsettled, insertUnsettled, takeUpload } from './file-import.ts'
import { readNoticeSvg } from './ebook-reader.ts'
import { asPublished, inGray, isColored } from './notice-svg.ts'
import { fileOf, readRenditions } from './pictures.ts'
import { hasAt, readBytes } from './refused.ts'
import { fileProblem, type FilesShop } from './shop.ts'

type Kind = 'svg' | 'png' | 'jpg' | 'pdf' | 'zip' | 'other'
type Checked = Pick<GuaranteeNotice, 'width' | 'height' | 'file'> & { bytes: Buffer }

/** `assign` gives the notice to the settings, in the transaction that inserts its picture. */
export async function importNotice(
  services: FilesShop,
  upload_id: string,
  assign: (tx: Transaction, notice: GuaranteeNotice) => Promise<void>,
): Promise<void> {
  const { db, storage, uploads } = services
  await takeUpload(uploads, upload_id, async ({ path }) => {
    const { bytes, ...checked } = await checkNotice(services, path)
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

const refusals: Record<Exclude<Kind, 'svg' | 'png' | 'jpg'>, string> = {
  pdf: `This is a PDF, which a page cannot show. ${asPublished}`,
  zip: `This is the Commission’s package. Please unpack it, and choose from it the SVG, PNG or JPEG file of your page’s language, in color.`,
  other: asPublished,
}

type Readers = Pick<FilesShop, 'pictureReader' | 'uploadReader'>

async function checkNotice(services: Readers, path: string): Promise<Checked> {
  const kind = await readKind(path)
  if (kind === 'svg') return checkSvg(services, path)
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

async function checkSvg({ uploadReader }: Readers, path: string): Promise<Checked> {
  const size = await readNoticeSvg(uploadReader, path)
  return { ...size, file: 'notice.svg', bytes: await readFile(path) }
}

/** The pixels that a page needs at least, on a screen that has two for one. */
const minPixels = 560

async function checkRaster(services: Readers, path: string, kind: 'png' | 'jpg'): Promise<Checked> {
  const { width, height, colors } = await readRenditions(services, path)
  if (width < minPixels)
    return refuse(`This picture is only ${width} pixels wide, too few to be read. ${asPublished}`)
  if (!isColored(colors.accent)) return refuse(inGray)
  return { width, height, file: `notice.${kind}`, bytes: await readFile(path) }
}

function refuse(detail: string): never {
  throw fileProblem('uploads.not_a_picture', { detail })
}
