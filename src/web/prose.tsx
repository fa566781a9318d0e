// The book's words on a page: paragraphs, headings, Scripture set apart.
// oxlint-disable react/no-array-index-key -- printed text never changes its order
import type { Block, Span } from '@lectern/sample-edition'

export function Prose({ blocks }: { blocks: readonly Block[] }) {
  return blocks.map((block, index) => <ProseBlock key={index} block={block} />)
}

function ProseBlock({ block }: { block: Block }) {
  if (block.kind === 'heading') return <h3 className="pt-6 font-display text-2xl">{block.text}</h3>
  if (block.kind === 'paragraph') {
    return (
      <p>
        <Spans spans={block.spans} />
      </p>
    )
  }
  return (
    <figure className="border-l-2 border-gold py-1 pl-6 sm:pl-8">
      <blockquote>
        {block.lines.map((line, index) => (
          <p key={index}>
            <Spans spans={line} />
          </p>
        ))}
      </blockquote>
      <figcaption className="mt-3 font-text text-sm text-soft">{block.reference}</figcaption>
    </figure>
  )
}

function Spans({ spans }: { spans: readonly Span[] }) {
  return spans.map(({ text, emphasis }, index) => (emphasis ? <em key={index}>{text}</em> : text))
}
