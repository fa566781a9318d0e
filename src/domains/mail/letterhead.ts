export type Letterhead = {
  siteUrl: string
  title: string
  language: string
  /** For light and for dark, as `#rrggbb`. */
  accent: readonly [light: string, dark: string]
  /** A picture, to be shown 56 pixels wide. */
  cover: { url: string; height: number }
  authorEmail: string
  /** In which the author promises to reply to messages; empty without a promise. */
  replyTime: string
}

export type WithLetterhead = {
  letterhead: () => Promise<Letterhead>
  /** The way to every email: what `compose` reads of the texts is in the author's words. */
  composeMail: <Made>(compose: (letterhead: Letterhead) => Promise<Made>) => Promise<Made>
}
