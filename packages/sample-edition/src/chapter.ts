// A chapter once read from Markdown: the EPUB, the PDF and the site show it.

/** A run of words; `emphasis` is set in italics. */
export type Span = { text: string; emphasis?: true }

export type Block =
  | { kind: 'paragraph'; spans: Span[] }
  | { kind: 'heading'; level: 2; text: string }
  /** Scripture set apart; each line of poetry is a line of its own. */
  | { kind: 'quotation'; lines: Span[][]; reference: string }

export type Chapter = {
  /** 'introduction', 'propitiation' …: the file's name without its number. */
  slug: string
  /** 0 is the introduction. */
  number: number
  title: string
  blocks: Block[]
}
