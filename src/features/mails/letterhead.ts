// What every mail says of the shop that sends it.

export type Letterhead = {
  siteUrl: string
  /** Of the book. */
  title: string
  /** A language tag. */
  language: string
  /** For light and for dark, as `#rrggbb`. */
  accent: readonly [light: string, dark: string]
  /** A picture, to be shown 56 pixels wide. */
  cover: { url: string; height: number }
  /** Where replies go. */
  authorEmail: string
}

export type WithLetterhead = { letterhead: () => Promise<Letterhead> }
