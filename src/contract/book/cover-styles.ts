// The styles of a drawn cover, and where its texts stand. book.css has the same places, as classes of these names.

export const coverStyles = ['arches', 'frame', 'horizon'] as const
export type CoverStyle = (typeof coverStyles)[number]

/** In parts of a hundred of the cover's width; it is 154.5 high. */
type CoverLayout = {
  /** Of all lines above the author. */
  top: number
  height: number
  /** How wide each text may be. */
  width: number
  /** Of the author's line, its middle. */
  author: number
  inks: { title: CoverInk; author: CoverInk }
}

/** What texts on covers are written with. */
export const coverInks = { light: '#faf6ee', dark: '#1c1a17' } as const
type CoverInk = keyof typeof coverInks

export const coverLayouts: Record<CoverStyle, CoverLayout> = {
  arches: { top: 5, height: 54, width: 80, author: 147, inks: { title: 'light', author: 'light' } },
  frame: { top: 20, height: 58, width: 68, author: 136.5, inks: { title: 'dark', author: 'dark' } },
  horizon: { top: 8, height: 54, width: 80, author: 146, inks: { title: 'dark', author: 'light' } },
}

export const coverSize = { width: 2200, height: 3400 }
