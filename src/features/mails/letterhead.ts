// What every mail says of the shop that sends it.

export type Letterhead = {
  siteUrl: string
  /** Of the book. */
  title: string
  /** A language tag. */
  language: string
  /** Where replies go. */
  authorEmail: string
}

export type WithLetterhead = { letterhead: () => Promise<Letterhead> }
