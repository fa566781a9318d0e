// Checks the SVG of the notice on the legal guarantee. It runs in a thread with limits: an XML of 2 MB can take minutes.
import { readFile, stat } from 'node:fs/promises'
import sax from 'sax'
import { Refused } from './refused.ts'

export const asPublished = 'Please choose the SVG, PNG or JPEG file as the Commission publishes it.'

export const inGray =
  'This is the notice in black and white. On a page it has to be in color: please choose that file.'

/** The difference of the strongest and the weakest of red, green and blue; the black of print is not quite even. */
const minSpread = 40

/** Takes a color as #0b4f9e or #fff. */
export function isColored(hex: string): boolean {
  const digits = hex.length === 4 ? hex.replaceAll(/[0-9a-f]/gi, '$&$&') : hex
  const channels = [1, 3, 5].map((at) => Number.parseInt(digits.slice(at, at + 2), 16))
  return Math.max(...channels) - Math.min(...channels) >= minSpread
}

const maxSvgBytes = 2 * 1024 * 1024
/** Units of the SVG; the table of pictures has whole numbers of 32 bits. */
const maxSide = 100_000

/** Pages show it by an `img` element, in which no script runs and no other file is loaded: an SVG with either is another. */
export async function readNoticeSvg(path: string): Promise<SvgSize> {
  if ((await stat(path)).size > maxSvgBytes) return refuse(`This SVG is too large. ${asPublished}`)
  const text = await readFile(path, 'utf8')
  const size = readSvg(text)
  const colors = text.match(/#(?:[0-9a-f]{6}|[0-9a-f]{3})\b/gi) ?? []
  if (colors.length > 0 && !colors.some(isColored)) return refuse(inGray)
  return size
}

export type SvgSize = { width: number; height: number }

function readSvg(text: string): SvgSize {
  const options = { xmlns: true, strictEntities: true, position: false }
  const parser = sax.parser(true, options)
  let size: SvgSize | undefined
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

function sizeOf(tag: sax.Tag | sax.QualifiedTag, attributes: readonly Attribute[]): SvgSize {
  const isSvg = 'uri' in tag && tag.local === 'svg' && tag.uri === 'http://www.w3.org/2000/svg'
  const box = attributes.find(({ name }) => name === 'viewbox')?.value ?? ''
  const [, , width = 0, height = 0] = box.split(/[\s,]+/).map(Number)
  const hasSize = [width, height].every((side) => side >= 1 && side <= maxSide)
  if (!isSvg || !hasSize) return refuse(asPublished)
  return { width: Math.round(width), height: Math.round(height) }
}

const isHandler = ({ name, value }: Attribute) => name.startsWith('on') || /^\s*javascript:/i.test(value)

/** A link leads on where it is pressed, and loads nothing before. */
function loadsOther(element: string, { name, value }: Attribute): boolean {
  return name === 'href' && element !== 'a' && !value.startsWith('#') && !value.startsWith('data:image/')
}

function refuse(detail: string): never {
  throw new Refused('uploads.not_a_picture', detail)
}
