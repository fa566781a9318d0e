// Elements of an XML document, one after the other: no document type, no entities of its own, not too deep or too many.
import sax from 'sax'
import { tooComplex } from './refused.ts'

export type XmlElement = {
  /** Without its namespace's prefix. */
  name: string
  attributes: Readonly<Record<string, string>>
}

/** Not well-formed, or not in its encoding. */
export class XmlError extends Error {}

const deepest = 100
const mostElements = 100_000
const pieceLength = 16 * 1024

/** Throws XmlError, and a refusal for what no book needs. */
export function readXml(bytes: Uint8Array, onElement: (element: XmlElement) => void): void {
  const options = { strictEntities: true, position: false }
  const parser = sax.parser(true, options)
  let depth = 0
  let elements = 0
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the parser is no EventTarget
  parser.onerror = (error) => {
    throw new XmlError(error.message)
  }
  parser.ondoctype = () => {
    throw tooComplex('This EPUB defines a document type (DOCTYPE) of its own, which could hide anything.')
  }
  parser.onopentag = ({ name, attributes }) => {
    depth += 1
    elements += 1
    if (depth > deepest) throw tooComplex(`This EPUB nests its elements more than ${deepest} deep.`)
    if (elements > mostElements) throw tooComplex(`This EPUB lists more than ${mostElements} things.`)
    onElement({ name: name.slice(name.indexOf(':') + 1), attributes: strings(attributes) })
  }
  parser.onclosetag = () => {
    depth -= 1
  }
  const text = decode(bytes)
  // In pieces, for the parser looks at the length of what it gathers only between them.
  for (let at = 0; at < text.length; at += pieceLength) parser.write(text.slice(at, at + pieceLength))
  parser.close()
  if (elements === 0) throw new XmlError('no element')
}

/** Only with namespaces, which are not asked for, are the parser's attributes anything else. */
function strings(attributes: sax.Tag['attributes'] | sax.QualifiedTag['attributes']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : value.value,
    ]),
  )
}

/** EPUB 3.3 §3.9: UTF-8 or UTF-16. */
function decode(bytes: Uint8Array): string {
  const [first, second] = bytes
  const isLittleEndian = first === 0xff && second === 0xfe
  const isBigEndian = first === 0xfe && second === 0xff
  const encoding = isLittleEndian ? 'utf-16le' : isBigEndian ? 'utf-16be' : 'utf-8'
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw new XmlError(`not ${encoding}`)
  }
}
