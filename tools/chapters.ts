// Reads the book's chapters: Markdown files in content/edition, numbered in reading order.
// Understood: one `#` title, `##` headings, paragraphs, *emphasis*, and Scripture as a quotation whose last line is "— Reference".
import { readdirSync, readFileSync } from 'node:fs'
import { type Token, type Tokens, marked } from 'marked'
import type { Block, Chapter, Span } from '../content/text.ts'

export const editionFolder = new URL('../content/edition/', import.meta.url)

export function readChapters(): Chapter[] {
  return readdirSync(editionFolder)
    .filter((name) => /^\d\d-.+\.md$/.test(name))
    .sort()
    .map((name) => parseChapter(name, readFileSync(new URL(name, editionFolder), 'utf8')))
}

export function parseChapter(name: string, markdown: string): Chapter {
  const tokens = marked.lexer(markdown).filter((token) => token.type !== 'space')
  const [title, ...rest] = tokens
  if (title?.type !== 'heading' || title.depth !== 1)
    throw new Error(`${name} must begin with "# Its title".`)
  return {
    slug: name.slice(3, -3),
    number: Number(name.slice(0, 2)),
    title: curl(title.text),
    blocks: rest.map((token) => readBlock(name, token)),
  }
}

function readBlock(name: string, token: Token): Block {
  if (token.type === 'paragraph') return { kind: 'paragraph', spans: readSpans(name, token.tokens) }
  if (token.type === 'heading') return { kind: 'heading', text: curl(token.text) }
  if (token.type === 'blockquote') return readScripture(name, token as Tokens.Blockquote)
  throw new Error(`${name}: a book has no place for a Markdown ${token.type}: ${token.raw.slice(0, 60)}`)
}

function readScripture(name: string, quote: Tokens.Blockquote): Block {
  const lines = quote.text.trim().split('\n')
  const reference = lines.pop()?.match(/^— ?(.+)$/)?.[1]
  if (!reference) throw new Error(`${name}: Scripture must end with its reference: "> — Psalm 46:1".`)
  return {
    kind: 'scripture',
    lines: lines.map((line) => readSpans(name, marked.Lexer.lexInline(line))),
    reference: curl(reference),
  }
}

function readSpans(name: string, tokens: Token[] = []): Span[] {
  return tokens.map((token) => {
    const words = curl('text' in token ? token.text : token.raw).replaceAll('\n', ' ')
    if (token.type === 'em') return { text: words, emphasis: true }
    if (token.type === 'text' || token.type === 'escape') return { text: words }
    throw new Error(`${name}: only plain words and *emphasis* can be set, not ${token.raw}`)
  })
}

/** Typewriter quotes to printed ones, and a range of verses with its proper dash. */
function curl(words: string): string {
  return words
    .replace(/(^|[\s(—“‘])"/g, '$1“')
    .replaceAll('"', '”')
    .replace(/(^|[\s(—“])'/g, '$1‘')
    .replaceAll("'", '’')
    .replace(/(\d)-(\d)/g, '$1–$2')
}
