// Long text as a page shows it: blocks of plain words, with nothing of HTML in them. The server makes it of Markdown.

export type Words = { text: string; emphasis?: true; strong?: true }

export type Span = Words | { href: string; words: Words[] } | { isLineBreak: true }

export type Block =
  | { kind: 'paragraph'; spans: Span[] }
  | { kind: 'heading'; level: 2 | 3; text: string }
  | {
      kind: 'list'
      /** The first item's number; null where the items have none. */ start: number | null
      items: Block[][]
    }
  /** Scripture and other quoted words, set apart; each line of poetry is a line of its own. */
  | { kind: 'quotation'; lines: Span[][]; reference?: string }
  | { kind: 'divider' }
