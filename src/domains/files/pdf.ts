// The check that a PDF is whole, and opens without a password, by its cross-reference sections (ISO 32000-1 §7.5).
import type { FileHandle } from 'node:fs/promises'
import { readBytes } from './refused.ts'

const tailBytes = 64 * 1024
const dictionaryBytes = 16 * 1024
const maxSections = 100
const maxSubsections = 2_000
const entryBytes = 20

const findings = {
  cutOff: 'The end of the PDF is missing: it may have been cut off. Please open it and look.',
  damaged:
    'The PDF’s index is damaged: some programs repair it, others do not open it. Please export it again.',
  encrypted: 'The PDF is encrypted: some readers will ask for a password, and some devices will not open it.',
}

export async function readPdf(file: FileHandle): Promise<string[]> {
  const { size } = await file.stat()
  const tail = (await readBytes(file, Math.max(0, size - tailBytes), tailBytes)).toString('latin1')
  const at = /startxref\s+(\d{1,15})\s*%%EOF/.exec(tail.slice(tail.lastIndexOf('startxref')))?.[1]
  if (at === undefined) return [findings.cutOff, ...encryptionIn([tail])]
  const head = await readBytes(file, 0, 1024)
  const trailers = await readTrailers(file, Number(at), Math.max(0, head.indexOf('%PDF-')))
  return trailers ? encryptionIn(trailers) : [findings.damaged, ...encryptionIn([tail])]
}

/** Any character of a name may be written as its number: /Encr#79pt. */
function encryptionIn(dictionaries: string[]): string[] {
  const isEncrypted = dictionaries.some((dictionary) => {
    const plain = dictionary.replaceAll(/#([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCodePoint(Number.parseInt(hex, 16)),
    )
    return /\/Encrypt\s*(?:\d+\s+\d+\s+R|<<)/.test(plain)
  })
  return isEncrypted ? [findings.encrypted] : []
}

// Reads every section: in a file made for the web, the one that names the encryption is not at the end. Undefined where the
// chain is broken. Positions count from the PDF's first byte.
async function readTrailers(file: FileHandle, newest: number, start: number): Promise<string[] | undefined> {
  const trailers: string[] = []
  const ahead = [newest]
  const seen = new Set<number>()
  for (let at = ahead.pop(); at !== undefined; at = ahead.pop()) {
    if (seen.has(at)) continue
    seen.add(at)
    if (seen.size > maxSections) return undefined
    // Some programs count from the first byte of the file.
    const trailer = (await readTrailer(file, start + at)) ?? (await readTrailer(file, at))
    if (trailer === undefined) return undefined
    trailers.push(trailer)
    for (const [, place] of trailer.matchAll(/\/(?:Prev|XRefStm)\s+(\d{1,15})/g)) ahead.push(Number(place))
  }
  return trailers
}

/** The dictionary follows the entries of a table, and begins a stream. */
async function readTrailer(file: FileHandle, position: number): Promise<string | undefined> {
  const text = await readText(file, position)
  if (/^\s*\d+\s+\d+\s+obj\b/.test(text)) return text.split(/\bstream\b/, 1)[0]
  const [beginning] = /^\s*xref/.exec(text) ?? []
  if (beginning === undefined) return undefined
  let at = position + beginning.length
  for (let subsections = 0; subsections < maxSubsections; subsections += 1) {
    const rest = await readText(file, at, subsections === 0 ? dictionaryBytes : 64)
    const [heading, count] = /^\s*\d+[ \t]+(\d{1,10})[ \t]*(?:\r\n|\r|\n)/.exec(rest) ?? []
    if (heading === undefined) {
      const result = await readText(file, at)
      return /^\s*trailer/.test(result) ? result.split('startxref', 1)[0] : undefined
    }
    at += heading.length + Number(count) * entryBytes
  }
  return undefined
}

async function readText(file: FileHandle, position: number, length = dictionaryBytes): Promise<string> {
  return (await readBytes(file, position, length)).toString('latin1')
}
