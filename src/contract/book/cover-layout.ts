// The layout of the texts on a drawn cover. book.css has the same places.

/** Lengths are in parts of a hundred of the cover's width; it is 154.5 high. */
export const coverLayout = {
  /** The top of all lines above the author. */
  top: 5,
  height: 54,
  /** The width that each text may have. */
  width: 80,
  /** The middle of the author's line. */
  author: 147,
}

/** Texts on covers are written with this color. */
export const coverInk = '#faf6ee'

export const coverSize = { width: 2200, height: 3400 }
