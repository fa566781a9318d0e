// Where the texts of a drawn cover stand. book.css has the same places.

/** In parts of a hundred of the cover's width; it is 154.5 high. */
export const coverLayout = {
  /** Of all lines above the author. */
  top: 5,
  height: 54,
  /** How wide each text may be. */
  width: 80,
  /** Of the author's line, its middle. */
  author: 147,
}

/** What texts on covers are written with. */
export const coverInk = '#faf6ee'

export const coverSize = { width: 2200, height: 3400 }
