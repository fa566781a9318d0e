// The facts that the files have of the book beside its chapters.
export type Book = {
  title: string
  subtitle: string
  description: string
  /** A language tag, as in `en`. */
  language: string
  author: { name: string }
  /** One for each numbered chapter, in order; the contents show `line` below the title. */
  words: readonly { line: string }[]
}
