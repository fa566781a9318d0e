// Reads the chapters of a book or of its bonus: Markdown files in a folder, numbered in reading order.
// Understood: one `#` title, `##` headings, paragraphs, *emphasis*, and Scripture as a quotation whose last line is "— Reference".
import { readdirSync, readFileSync } from 'node:fs'
import { type Token, marked } from 'marked'
import type { Block, Chapter, Span } from './chapter.ts'

export function readChapters(folder: URL): Chapter[] {
  return readdirSync(folder)
    .filter((name) => /^\d\d-.+\.md$/.test(name))
    .toSorted()
    .map((name) => readChapter(folder, name))
}

export function readChapter(folder: URL, name: string): Chapter {
  return parseChapter(name, readFileSync(new URL(name, folder), 'utf8'))
}

function parseChapter(name: string, markdown: string): Chapter {
  const tokens = marked.lexer(curlQuotes(markdown)).filter((token) => token.type !== 'space')
  const [title, ...rest] = tokens
  if (title?.type !== 'heading' || title.depth !== 1)
    throw new Error(`${name} must begin with "# Its title".`)
  return {
    slug: name.replace(/^\d\d-|\.md$/g, ''),
    number: Number(/^\d\d/.exec(name)?.[0] ?? 0),
    title: title.text,
    blocks: rest.map((token) => readBlock(name, token)),
  }
}

function readBlock(name: string, token: Token): Block {
  if (token.type === 'paragraph') return { kind: 'paragraph', spans: readSpans(name, token.tokens) }
  if (token.type === 'heading') return { kind: 'heading', level: 2, text: token.text }
  if (token.type === 'blockquote') return readScripture(name, token.text)
  throw new Error(`${name}: a book has no place for a Markdown ${token.type}: ${token.raw.slice(0, 60)}`)
}

function readScripture(name: string, quotation: string): Block {
  const lines = quotation.trim().split('\n')
  const reference = /^— ?(.+)$/.exec(lines.pop() ?? '')?.[1]
  if (!reference) throw new Error(`${name}: Scripture must end with its reference, as in "> — Psalm 46:1".`)
  return {
    kind: 'quotation',
    lines: lines.map((line) => readSpans(name, marked.Lexer.lexInline(line))),
    reference,
  }
}

function readSpans(name: string, tokens: Token[] = []): Span[] {
  return tokens.map((token) => {
    const text = token.type === 'em' ? token.text : token.raw
    if (token.type === 'em') return { text, emphasis: true }
    if (token.type === 'text') return { text: text.replaceAll('\n', ' ') }
    throw new Error(`${name}: only plain words and *emphasis* can be set, not ${token.raw}`)
  })
}

/** Typewriter quotes become printed ones, and a range of verses gets its proper dash. */
function curlQuotes(words: string): string {
  return words
    .replace(/(?<=^|[\s(—*_‘])"/gm, '“')
    .replaceAll('"', '”')
    .replace(/(?<=^|[\s(—*_“])'/gm, '‘')
    .replaceAll("'", '’')
    .replace(/(?<=\d)-(?=\d)/g, '–')
}
