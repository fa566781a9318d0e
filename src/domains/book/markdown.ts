// Reads Markdown that an author typed, or that comes from an EPUB. Understood: headings, paragraphs, emphasis, strong,
// lists, quotations, dividers, line breaks and links. HTML and code are shown as they were typed.
import MarkdownIt, { type Token } from 'markdown-it'
import type { Block, Span, Words } from '#contract/book/long-text.ts'

/** The preset "zero" understands nothing but what is enabled. */
const reader = new MarkdownIt('zero').enable([
  'autolink',
  'blockquote',
  'emphasis',
  'entity',
  'escape',
  'heading',
  'hr',
  'image',
  'lheading',
  'link',
  'list',
  'newline',
  'reference',
])
/** An address that does not pass is shown as it was typed. */
reader.validateLink = (address) => /^(https?:\/\/|mailto:|#|\/(?!\/))/i.test(address)

export function parseMarkdown(markdown: string): Block[] {
  return readBlocks(nest(reader.parse(markdown, {})))
}

type Node = { token: Token; children: Node[] }

function nest(tokens: Token[]): Node[] {
  const root: Node[] = []
  const open = [root]
  for (const token of tokens) {
    if (token.nesting < 0) {
      open.pop()
      continue
    }
    const node = { token, children: nest(token.children ?? []) }
    open.at(-1)?.push(node)
    if (token.nesting > 0) open.push(node.children)
  }
  return root
}

function readBlocks(nodes: Node[]): Block[] {
  return nodes.flatMap((node) => readBlock(node) ?? [])
}

function readBlock({ token, children }: Node): Block | undefined {
  switch (token.type) {
    case 'paragraph_open':
      return { kind: 'paragraph', spans: readSpans(children) }
    case 'heading_open':
      return { kind: 'heading', level: /^h[12]$/.test(token.tag) ? 2 : 3, text: textOf(children) }
    case 'bullet_list_open':
      return { kind: 'list', start: null, items: readItems(children) }
    case 'ordered_list_open':
      return { kind: 'list', start: Number(token.attrGet('start') ?? 1), items: readItems(children) }
    case 'blockquote_open':
      return readQuotation(children)
    case 'hr':
      return { kind: 'divider' }
    default:
      return undefined
  }
}

function readItems(items: Node[]): Block[][] {
  return items.map(({ children }) => readBlocks(children))
}

/** Its last line is its reference when it begins with a dash, as in "— Psalm 46:1". */
function readQuotation(nodes: Node[]): Block {
  const lines = nodes.flatMap(readLines)
  const last = lines.length > 1 ? plain(lines.at(-1) ?? []) : ''
  const reference = /^(?:—|–|--)\s*(\S.*)$/.exec(last)?.[1]
  if (reference === undefined) return { kind: 'quotation', lines }
  return { kind: 'quotation', lines: lines.slice(0, -1), reference }
}

/** Each line that was typed is a line: a quotation may be poetry. */
function readLines({ token, children }: Node): Span[][] {
  if (token.type !== 'inline') return children.flatMap(readLines)
  const lines: Node[][] = [[]]
  for (const node of children) {
    if (/^(soft|hard)break$/.test(node.token.type)) lines.push([])
    else lines.at(-1)?.push(node)
  }
  return lines.map((line) => readSpans(line)).filter((line) => line.length > 0)
}

type Style = Omit<Words, 'text'>

function readSpans(nodes: Node[], style: Style = {}): Span[] {
  return join(nodes.flatMap((node) => readSpan(node, style)))
}

function readSpan({ token, children }: Node, style: Style): Span[] {
  switch (token.type) {
    case 'inline':
      return readSpans(children, style)
    case 'em_open':
      return readSpans(children, { ...style, emphasis: true })
    case 'strong_open':
      return readSpans(children, { ...style, strong: true })
    case 'link_open':
      return readLink(String(token.attrGet('href') ?? ''), readSpans(children, style).flatMap(wordsOf))
    case 'hardbreak':
      return [{ isLineBreak: true }]
    case 'softbreak':
      return [{ text: ' ', ...style }]
    default:
      // The words that describe a picture stand for it.
      return token.content === '' ? [] : [{ text: token.content, ...style }]
  }
}

function readLink(href: string, words: Words[]): Span[] {
  return words.length > 0 ? [{ href, words }] : []
}

function join(spans: Span[]): Span[] {
  const joined: Span[] = []
  for (const span of spans) {
    const before = joined.at(-1)
    if (before && 'text' in before && 'text' in span && isSameStyle(before, span))
      joined.splice(-1, 1, { ...before, text: before.text + span.text })
    else joined.push(span)
  }
  return joined
}

function isSameStyle(one: Style, other: Style): boolean {
  return one.emphasis === other.emphasis && one.strong === other.strong
}

function wordsOf(span: Span): Words[] {
  if ('text' in span) return [span]
  return 'words' in span ? span.words : [{ text: ' ' }]
}

function textOf(nodes: Node[]): string {
  return plain(readSpans(nodes))
}

function plain(spans: Span[]): string {
  return spans
    .flatMap(wordsOf)
    .map(({ text }) => text)
    .join('')
}
