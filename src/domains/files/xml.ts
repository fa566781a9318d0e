// Reads XML that others made, within limits, as a tree of elements.
// oxlint-disable unicorn/prefer-add-event-listener -- the parser is no EventTarget
import type { Element, ElementContent, Nodes, Root } from 'hast'
import sax from 'sax'
import { tooComplex } from './refused.ts'
import { isNumber } from './chapter-kinds.ts'

export class XmlError extends Error {}

const maxDepth = 100
const maxElements = 100_000
const pieceLength = 16 * 1024

/** Names a type that others define, as OEB 1.2 and OPF 1.0 do. It is never loaded, and nothing is defined beside it. */
const knownDoctype =
  /^\s*[\w:.-]+(\s+(PUBLIC\s+("[^"]*"|'[^']*')|SYSTEM(?=\s))(\s+["'](https?:[^"']*|[\w.-]+\.dtd)["'])?)?\s*(\[\s*\])?\s*$/i

/** Reads entities of HTML, which XML does not know, where `isLenient`. Elements’ names are in lower case. */
export function readXml(bytes: Uint8Array, isLenient = false): Root {
  const options = { strictEntities: !isLenient, position: false }
  const parser = sax.parser(true, options)
  parser.onerror = (error) => {
    throw new XmlError(error.message)
  }
  parser.ondoctype = (doctype) => {
    if (!knownDoctype.test(doctype))
      throw tooComplex('This EPUB defines a document type (DOCTYPE) of its own, which could hide anything.')
  }
  const tree = build(parser, decode(bytes))
  if (tree.children.length === 0) throw new XmlError('no element')
  return tree
}

/** Reads, as a browser does, also what is not well-formed or has a document type. All names are in lower case. */
export function readXhtml(bytes: Uint8Array): Root {
  const parser = sax.parser(false, { lowercase: true, position: false })
  parser.onerror = () => parser.resume()
  return build(parser, decodeAny(bytes))
}

const voids = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source'])

function build(parser: sax.SAXParser, text: string): Root {
  const root: Root = { type: 'root', children: [] }
  const open: (Root | Element)[] = [root]
  const isVoid = (name: string) => !parser.strict && voids.has(name)
  let elements = 0
  const add = (node: ElementContent) => open.at(-1)?.children.push(node)
  parser.onopentag = ({ name, attributes }) => {
    elements += 1
    if (open.length > maxDepth) throw tooComplex(`This EPUB nests its elements more than ${maxDepth} deep.`)
    if (elements > maxElements) throw tooComplex(`This EPUB lists more than ${maxElements} things.`)
    const tagName = name.slice(name.indexOf(':') + 1).toLowerCase()
    // Attributes are objects only with namespaces, which are not asked for.
    const properties = Object.fromEntries(
      Object.entries(attributes).map(([key, value]) => [
        key,
        typeof value === 'string' ? value : value.value,
      ]),
    )
    const element: Element = { type: 'element', tagName, properties, children: [] }
    add(element)
    if (!isVoid(name)) open.push(element)
  }
  parser.onclosetag = (name) => {
    if (!isVoid(name)) open.pop()
  }
  parser.ontext = (value) => add({ type: 'text', value })
  parser.oncdata = (value) => add({ type: 'text', value })
  // The parser checks the length of its buffers only between writes.
  for (let at = 0; at < text.length; at += pieceLength) parser.write(text.slice(at, at + pieceLength))
  parser.close()
  return root
}

/** EPUB 3.3 §3.9: UTF-8 or UTF-16. Older books name another encoding. */
function decode(bytes: Uint8Array): string {
  const encoding = encodingOf(bytes)
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw new XmlError(`not ${encoding}`)
  }
}

function decodeAny(bytes: Uint8Array): string {
  try {
    return decode(bytes)
  } catch (error) {
    if (!(error instanceof XmlError)) throw error
    // A page that a program for Windows wrote without saying so.
    const plain = new TextDecoder().decode(bytes)
    const wrong = plain.split('\uFFFD').length - 1
    return wrong > 0 && wrong < bytes.length / 4 ? new TextDecoder('windows-1252').decode(bytes) : plain
  }
}

function encodingOf(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1')
  const named =
    /^[^<]*<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']/.exec(head)?.[1] ??
    /<meta[^>]+charset\s*=\s*["']?([\w.:-]+)/i.exec(head)?.[1]
  return isOlder(named) ? named : 'utf-8'
}

/** True for an encoding that differs from UTF-8 and that the platform knows. */
function isOlder(named: string | undefined): named is string {
  return (
    named !== undefined &&
    /^(windows-125\d|iso-8859-\d{1,2}|koi8-[ru]|gbk|gb2312|gb18030|big5|shift_jis|euc-(jp|kr))$/i.test(named)
  )
}

export function elementsIn(node: Nodes, elements: Element[] = []): Element[] {
  for (const child of 'children' in node ? node.children : []) {
    if (child.type !== 'element') continue
    elements.push(child)
    elementsIn(child, elements)
  }
  return elements
}

export function elementsNamed(node: Nodes | undefined, ...names: string[]): Element[] {
  return node ? elementsIn(node).filter(({ tagName }) => names.includes(tagName)) : []
}

export function attribute(element: Element | undefined, name: string): string | undefined {
  const value = element?.properties[name]
  return typeof value === 'string' ? value : undefined
}

/** Reads EPUB's `epub:type`, and the roles that HTML has for the same. */
export function typesOf(element: Element): string[] {
  return `${attribute(element, 'epub:type') ?? ''} ${attribute(element, 'role') ?? ''}`
    .toLowerCase()
    .split(/\s+/)
    .map((type) => type.replace(/^doc-/, ''))
    .filter(Boolean)
}

const texts = new WeakMap<Element, string>()

/** Caches the text: the document must not change any more. */
export function textOf(node: Nodes | undefined): string {
  if (node?.type !== 'element') return clean(rawText(node))
  const known = texts.get(node) ?? clean(rawText(node))
  texts.set(node, known)
  return known
}

const separate = new Set(
  'article aside blockquote br dd div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup li ol p pre section table td th tr ul'.split(
    ' ',
  ),
)
/** The reading of a character, which stands above it. */
const readings = new Set(['rp', 'rt', 'rtc'])

/** Keeps line breaks and spaces as they are written. */
export function rawText(node: Nodes | undefined): string {
  if (node?.type === 'text') return node.value
  if (!node || !('children' in node)) return ''
  if (node.type === 'element' && readings.has(node.tagName)) return ''
  let text = ''
  let isAfterElement = false
  for (const child of node.children) {
    const own = rawText(child)
    text += isAfterElement && isOnOwnLine(text, child, own) ? ` ${own}` : own
    isAfterElement = child.type === 'element'
  }
  return node.type === 'element' && separate.has(node.tagName) ? ` ${text} ` : text
}

const maxLine = 100

/** Styles put the lines of a title below each other: nothing in the text divides “Chapter 1” and “The River”. */
function isOnOwnLine(before: string, node: Nodes, text: string): boolean {
  if (node.type !== 'element' || before.length > maxLine || !/^[\p{Lu}\p{Lo}]/u.test(text)) return false
  // A letter alone may be a large initial.
  const isNumberBefore = before.length > 1 && isNumber(before)
  return isNumberBefore || (/[\p{Ll}\p{N}]$/u.test(before) && /^\p{Lu}/u.test(text))
}

/** Joiners are left: they build letters. */
const invisible = /[[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Zl}\p{Zp}]--[\u200c\u200d]]/gv

export function clean(text: string): string {
  return text.toWellFormed().replaceAll(/\s+/g, ' ').replaceAll(invisible, '').trim()
}

export function limitTitle(title: string): string {
  return title.slice(0, 300).toWellFormed()
}

export type { Element, Root }
