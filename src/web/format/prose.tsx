// Draws the blocks of a long text: paragraphs, headings, lists, quotations and links.
// oxlint-disable react/no-array-index-key -- printed text never changes its order
import type { Block, Span, Words } from '#contract/book/long-text.ts'

const headings = { 2: ['h2', 'h3'], 3: ['h3', 'h4'] } as const

/** A drop cap in a script that has capitals; a number or a mark in front of the text is none. */
export function pageClass(blocks: readonly Block[]): string {
  const first = blocks.find((block) => block.kind === 'paragraph')
  const [span] = first?.spans ?? []
  const text = span && 'text' in span ? span.text : ''
  const isCapital = /^["“„«‘'¿¡]?\p{Lu}/u.test(text) && !/^[IVXLC]+[.)]/.test(text)
  return isCapital ? 'book-page drop-cap' : 'book-page'
}

type ProseProps = {
  blocks: readonly Block[]
  /** The level on the page of the text's own highest headings. */
  topHeading?: 2 | 3
}

export function Prose({ blocks, topHeading = 3 }: ProseProps) {
  return blocks.map((block, index) => <ProseBlock key={index} block={block} topHeading={topHeading} />)
}

type ProseBlockProps<Kind> = { block: Extract<Block, { kind: Kind }>; topHeading: 2 | 3 }

function ProseBlock({ block, topHeading }: ProseBlockProps<Block['kind']>) {
  switch (block.kind) {
    case 'heading':
      return <Heading block={block} topHeading={topHeading} />
    case 'paragraph':
      return (
        <p>
          <Spans spans={block.spans} />
        </p>
      )
    case 'list':
      return <List block={block} topHeading={topHeading} />
    case 'quotation':
      return <Quotation block={block} />
    default:
      return <hr className="mx-auto w-24 border-gold" />
  }
}

function Heading({ block, topHeading }: ProseBlockProps<'heading'>) {
  const isTop = block.level === 2
  const Tag = headings[topHeading][isTop ? 0 : 1]
  return (
    <Tag className={`pt-6 font-display text-balance ${isTop ? 'text-2xl' : 'text-xl'}`}>{block.text}</Tag>
  )
}

function List({ block: { start, items }, topHeading }: ProseBlockProps<'list'>) {
  const children = items.map((blocks, index) => {
    const [only, ...others] = blocks
    return (
      <li key={index} className="ps-1">
        {only?.kind === 'paragraph' && others.length === 0 ? (
          <Spans spans={only.spans} />
        ) : (
          <Prose blocks={blocks} topHeading={topHeading} />
        )}
      </li>
    )
  })
  const look = 'space-y-2 ps-7 marker:text-gold-text'
  if (start === null) return <ul className={`list-disc ${look}`}>{children}</ul>
  return (
    <ol start={start} className={`list-decimal ${look}`}>
      {children}
    </ol>
  )
}

function Quotation({ block: { lines, reference } }: Pick<ProseBlockProps<'quotation'>, 'block'>) {
  return (
    <figure className="border-s-2 border-gold py-1 ps-6 sm:ps-8">
      <blockquote>
        {lines.map((line, index) => (
          <p key={index}>
            <Spans spans={line} />
          </p>
        ))}
      </blockquote>
      {reference !== undefined && (
        <figcaption className="mt-3 font-text text-sm text-soft">{reference}</figcaption>
      )}
    </figure>
  )
}

function Spans({ spans }: { spans: readonly Span[] }) {
  return spans.map((span, index) => {
    if ('isLineBreak' in span) return <br key={index} />
    if ('text' in span) return <Styled key={index} {...span} />
    return (
      <a key={index} href={span.href} className="rounded-sm text-gold-text underline underline-offset-4">
        {span.words.map((words, at) => (
          <Styled key={at} {...words} />
        ))}
      </a>
    )
  })
}

function Styled({ text, emphasis, strong }: Words) {
  const words = emphasis ? <em>{text}</em> : text
  return strong ? <strong>{words}</strong> : words
}
