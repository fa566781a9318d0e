// A chapter as XHTML, the same for the EPUB and for the printed page; the style sheets make the difference.
import type { Block, Chapter, Span } from './chapter.ts'

/** Each chapter is a section with its slug as id; `heading` has the numeral above the word. */
export function setChapter(chapter: Chapter): string {
  const [first, ...rest] = chapter.blocks
  const opening = first?.kind === 'quotation'
  return `<section class="chapter" epub:type="${chapter.number ? 'chapter' : 'introduction'}" id="${chapter.slug}">
<header>
${chapter.number ? `<p class="numeral" aria-hidden="true">${chapter.number}</p>\n` : ''}<h1>${escapeXml(chapter.title)}</h1>
${opening ? `${setBlock(first)}\n` : ''}</header>
${(opening ? rest : chapter.blocks).map(setBlock).join('\n')}
</section>`
}

export function setBlock(block: Block): string {
  if (block.kind === 'heading') return `<h2>${escapeXml(block.text)}</h2>`
  if (block.kind === 'paragraph') return `<p>${setSpans(block.spans)}</p>`
  return `<blockquote>
<p>${block.lines.map(setSpans).join('<br/>\n')}</p>
<p class="reference">${escapeXml(block.reference)}</p>
</blockquote>`
}

function setSpans(spans: Span[]): string {
  return spans
    .map(({ text, emphasis }) => {
      // "3:25–26" stays on one line.
      const words = escapeXml(text).replace(/\d+:\d+–\d+/g, '<span class="verses">$&</span>')
      return emphasis ? `<em>${words}</em>` : words
    })
    .join('')
}

export function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => `&#${letter.codePointAt(0)};`)
}
