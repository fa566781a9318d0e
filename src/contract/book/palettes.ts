// The palettes of a book, in light and dark, and the contrast that each must have.

export type ColorPair = readonly [light: string, dark: string]

export type Palette = {
  page: ColorPair
  surface: ColorPair
  ink: ColorPair
  soft: ColorPair
  line: ColorPair
  edge: ColorPair
  raised: ColorPair
  gold: ColorPair
  gold_text: ColorPair
  night: ColorPair
  /** The light behind the book; without it, that of its gold. */
  glow?: ColorPair
}

export const paletteNames = ['parchment', 'linen', 'sage', 'harbor', 'rose', 'ink'] as const
type PaletteName = (typeof paletteNames)[number]

/** A test holds all of them to the contrasts that WCAG asks for. Those of the first are the defaults of look.css. */
export const palettes: Record<PaletteName, Palette> = {
  parchment: {
    page: ['#faf6ee', '#12172a'],
    surface: ['#ffffff', '#1a2138'],
    ink: ['#1b2440', '#efe9dc'],
    soft: ['#55607a', '#aeb6cc'],
    line: ['#e4dccb', '#2c3554'],
    edge: ['#7f8596', '#7a84a6'],
    raised: ['#ffffff', '#343d5e'],
    gold: ['#b8862f', '#e0b65a'],
    gold_text: ['#875c10', '#e0b65a'],
    night: ['#1b2440', '#1a2138'],
  },
  linen: {
    page: ['#f7f2ec', '#1a1614'],
    surface: ['#fffdfb', '#241f1c'],
    ink: ['#2b2420', '#f0e7df'],
    soft: ['#6a5c53', '#bdafa4'],
    line: ['#e6dbd0', '#3b332e'],
    edge: ['#8a7d74', '#8d7f75'],
    raised: ['#ffffff', '#43392f'],
    gold: ['#bb5f36', '#e58f63'],
    gold_text: ['#97441f', '#e9a077'],
    night: ['#2f2621', '#241f1c'],
  },
  sage: {
    page: ['#f3f5ee', '#111a16'],
    surface: ['#ffffff', '#19241f'],
    ink: ['#1d2f27', '#e8eee6'],
    soft: ['#51645a', '#aebcb1'],
    line: ['#dbe2d3', '#2c3b33'],
    edge: ['#76857b', '#76897d'],
    raised: ['#ffffff', '#33453c'],
    gold: ['#74822a', '#b7c463'],
    gold_text: ['#56641a', '#bfcb74'],
    night: ['#1d3329', '#19241f'],
  },
  harbor: {
    page: ['#f0f5f7', '#0e1a20'],
    surface: ['#ffffff', '#15252d'],
    ink: ['#12303d', '#e4eef1'],
    soft: ['#4b6470', '#a8bac2'],
    line: ['#d5e2e7', '#27404b'],
    edge: ['#71858e', '#6f8a95'],
    raised: ['#ffffff', '#2c4753'],
    gold: ['#1f868f', '#58c0c6'],
    gold_text: ['#0f6670', '#6bcbd0'],
    night: ['#12303d', '#15252d'],
  },
  rose: {
    page: ['#fbf3f2', '#1d1319'],
    surface: ['#ffffff', '#281b23'],
    ink: ['#37202f', '#f3e6ec'],
    soft: ['#6f5463', '#c3afb9'],
    line: ['#ecdcdd', '#433039'],
    edge: ['#8d7c86', '#917e89'],
    raised: ['#ffffff', '#4b3742'],
    gold: ['#b5486a', '#ea8fac'],
    gold_text: ['#96304f', '#f09fb8'],
    night: ['#3b2032', '#281b23'],
  },
  ink: {
    page: ['#f6f6f4', '#121314'],
    surface: ['#ffffff', '#1b1c1e'],
    ink: ['#17181a', '#ededea'],
    soft: ['#5a5d62', '#b1b3b6'],
    line: ['#dfdfdb', '#333538'],
    edge: ['#808386', '#85888c'],
    raised: ['#ffffff', '#3b3d41'],
    gold: ['#c23b31', '#f0776c'],
    gold_text: ['#a82a21', '#f28b81'],
    night: ['#1b1c1e', '#1b1c1e'],
  },
}

/** WCAG 2.2, level AA: of text, and of large type and what is needed to see a control. */
export const minContrast = { text: 4.5, large: 3 }
