// Reads the pages of the manual from the package.
import { readFile } from 'node:fs/promises'
import { once } from '#platform/cached.ts'
import { ownFile } from '#platform/own-file.ts'
import type { Block, Span } from '#contract/book/long-text.ts'
import { parseMarkdown } from '#domains/book/markdown.ts'
import { manualPages, type ManualPage } from '#contract/overview/manual.ts'

/** Read once a process: the pages are part of the package. */
export const readManual = once(() => Promise.all(manualPages.map(readPage)))

async function readPage({ name, title }: (typeof manualPages)[number]): Promise<ManualPage> {
  const markdown = await readFile(ownFile(`#manual/${name}.md`), 'utf8')
  // The first line is the title, which the screen has as its heading.
  const blocks = parseMarkdown(withoutCode(markdown.replace(/^# .*\n/, '')))
  return { name, title, text: blocks.map(textOf).join('\n'), blocks }
}

/** Long texts have no code: what is code in the manual is strong. */
function withoutCode(markdown: string): string {
  return markdown.replaceAll(
    /`([^`\n]+)`/g,
    (_, code: string) => `**${code.replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`)}**`,
  )
}

function textOf(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return block.text
    case 'paragraph':
      return textOfSpans(block.spans)
    case 'list':
      return block.items.flat().map(textOf).join('\n')
    case 'quotation':
      return block.lines.map(textOfSpans).join('\n')
    default:
      return ''
  }
}

function textOfSpans(spans: readonly Span[]): string {
  return spans
    .map((span) => {
      if ('isLineBreak' in span) return ' '
      return 'text' in span ? span.text : span.words.map(({ text }) => text).join('')
    })
    .join('')
}
