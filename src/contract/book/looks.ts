// The looks of a book: its colors, and the style of its drawn cover.
import { z } from 'zod'
import { color, pictureColors, type PictureColors } from '../files/pictures.ts'

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

const { text, large } = minContrast

export function coverPalette({ main, accent }: PictureColors): Palette {
  const of = parse(main)
  const tint = (lightness: number, maxChroma: number) =>
    fromOklch({ lightness, chroma: Math.min(of.chroma, maxChroma), hue: of.hue })
  const page = [tint(0.973, 0.009), tint(0.205, 0.028)] as const
  const surface = [tint(0.995, 0.003), tint(0.25, 0.032)] as const
  const raised = ['#ffffff', tint(0.36, 0.04)] as const
  const night = [tint(0.265, 0.05), surface[1]] as const
  const light = (needed: number, from: number) => darken(parse(accent), [page[0], surface[0]], needed, from)
  const dark = (needed: number, from: number) =>
    lighten(parse(accent), [page[1], surface[1], night[1]], needed, from)
  return {
    page,
    surface,
    ink: [tint(0.265, 0.05), tint(0.94, 0.012)],
    soft: [tint(0.47, 0.035), tint(0.78, 0.02)],
    line: [tint(0.895, 0.018), tint(0.36, 0.035)],
    edge: [tint(0.6, 0.03), tint(0.62, 0.04)],
    raised,
    gold: [light(large, 0.64), dark(text, 0.76)],
    gold_text: [light(text, 0.52), dark(text, 0.78)],
    night,
  }
}

function parse(color: string): Oklch {
  const channel = (at: number) => Number.parseInt(color.slice(at, at + 2), 16)
  return toOklch(channel(1), channel(3), channel(5))
}

/** As light as it is, between `from` and what is still read on these grounds. */
function darken(color: Oklch, grounds: readonly string[], needed: number, from: number): string {
  return approachLightness(color, grounds, { needed, start: Math.min(color.lightness, from), step: -0.01 })
}

function lighten(color: Oklch, grounds: readonly string[], needed: number, from: number): string {
  return approachLightness(color, grounds, { needed, start: Math.max(color.lightness, from), step: 0.01 })
}

type Way = { needed: number; start: number; step: number }

function approachLightness(
  { chroma, hue }: Oklch,
  grounds: readonly string[],
  { needed, start, step }: Way,
): string {
  for (let lightness = start; ; lightness += step) {
    const color = fromOklch({ lightness, chroma, hue })
    const isRead = grounds.every((ground) => contrastOf(color, ground) >= needed)
    if (isRead || lightness <= 0 || lightness >= 1) return color
  }
}

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

export const draftLooks = z.object({
  palette: z.enum(paletteNames),
  accent: color.nullable(),
  /** Of the cover's picture, as it was brought; null for a drawn one. */
  cover_colors: pictureColors.nullable(),
  /** The cover's colors take the palette's place. */
  uses_cover_colors: z.boolean(),
  /** Of the cover that is drawn where there is no picture. */
  cover_style: z.enum(coverStyles),
})
export type Looks = z.infer<typeof draftLooks>

export const looks = draftLooks.superRefine((value, context) => {
  const message = findAccentFault(value)?.says
  if (message) context.addIssue({ code: 'custom', path: ['accent'], message })
})

/** Without the accent. */
export function paletteOf({ palette, uses_cover_colors, cover_colors }: Looks): Palette {
  return uses_cover_colors && cover_colors ? coverPalette(cover_colors) : palettes[palette]
}

const minOnGrounds = (color: string, grounds: readonly string[]) =>
  Math.min(...grounds.map((ground) => contrastOf(color, ground)))

const groundsOf = ({ page, surface }: Palette, side: 0 | 1) => [page[side], surface[side]]

/** Words for the author, and the nearest accent that can be read; undefined where this one can. */
export function findAccentFault(looks: Looks): { says: string; readable: string } | undefined {
  const { accent } = looks
  if (accent === null) return undefined
  const grounds = groundsOf(paletteOf(looks), 0)
  const contrast = minOnGrounds(accent, grounds)
  if (contrast >= minContrast.text) return undefined
  const readable = approach(accent, '#000000', (each) => minOnGrounds(each, grounds) >= minContrast.text)
  const says = `This color is too light to be read on the page: its contrast is ${floorTenth(contrast)} : 1, and ${minContrast.text} : 1 is needed. Choose a darker one, such as ${readable}.`
  return { says, readable }
}

function floorTenth(value: number): string {
  return (Math.floor(value * 10) / 10).toFixed(1)
}

function approach(from: string, to: string, fits: (color: string) => boolean): string {
  for (let part = 0; part < 1; part += 0.02) {
    const color = mixColors(from, to, part)
    if (fits(color)) return color
  }
  return to
}

/** The palette with the accent, unless that cannot be read. In the dark it is lightened until it can. */
export function resolveLooks(looks: Looks): Palette {
  const palette = paletteOf(looks)
  const { accent } = looks
  if (accent === null || findAccentFault(looks)) return palette
  const lit = approach(
    accent,
    '#ffffff',
    (each) =>
      minOnGrounds(each, groundsOf(palette, 1)) >= minContrast.text &&
      contrastOf(each, palette.raised[1]) >= minContrast.large,
  )
  return { ...palette, gold: [accent, lit], gold_text: [accent, lit] }
}

/** By the names of look.css. */
function tokensOf(palette: Palette): Record<string, ColorPair> {
  const { page, surface, ink, soft, line, edge, raised, gold, gold_text, night } = palette
  const glow: ColorPair = [mixColors(gold[0], '#ffffff', 0.62), gold[1]]
  return {
    page,
    surface,
    ink,
    soft,
    line,
    edge,
    raised,
    gold,
    'gold-text': gold_text,
    night,
    light: [mixColors(page[0], '#ffffff', 0.7), mixColors(surface[1], raised[1], 0.5)],
    'cover-edge': ['#00000000', mixColors(edge[1], gold[1], 0.3)],
    glow,
    ember: [gold[1], gold[1]],
    'door-core': [mixColors(glow[0], '#ffffff', 0.92), mixColors(glow[1], '#ffffff', 0.45)],
    'door-glow': [mixColors(glow[0], '#ffffff', 0.6), mixColors(glow[1], page[1], 0.2)],
    'door-rim': [mixColors(glow[0], '#ffffff', 0.2), mixColors(glow[1], page[1], 0.75)],
  }
}

export function hasDefaultColors(looks: Looks): boolean {
  return paletteOf(looks) === palettes[paletteNames[0]] && looks.accent === null
}

/** What the page's style needs besides look.css, which has the default. Every value is a color of six or eight digits. */
export function looksCss(looks: Looks): string {
  if (hasDefaultColors(looks)) return ''
  const tokens = Object.entries(tokensOf(resolveLooks(looks)))
  return `:root{${tokens.map(([name, [light, dark]]) => `--color-${name}:light-dark(${light},${dark})`).join(';')}}`
}

// A palette made of the colors of the book's cover: its main color tints the page and the ink, its most vivid one is the
// accent. Lightness is ours, so that everything can be read; a test holds it to the contrasts of all palettes.

// Arithmetic with colors, each as `#rrggbb`.

function channels(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
}

/** `part` (0 to 1) of the way from one color to another. */
export function mixColors(from: string, to: string, part: number): string {
  const end = channels(to)
  const mixed = channels(from).map((value, at) => Math.round(value + ((end[at] ?? value) - value) * part))
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

/** The color at `part` (0 to 1) of the way through `colors`. */
export function sampleColors(colors: readonly string[], part: number): string {
  const place = Math.min(Math.max(part, 0), 1) * (colors.length - 1)
  const index = Math.min(Math.floor(place), colors.length - 2)
  const [from = '#000000', to = from] = colors.slice(index, index + 2)
  return mixColors(from, to, place - index)
}

/** WCAG 2.2, relative luminance. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((channel) => {
    const value = channel / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** WCAG 2.2: 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

// Colors by lightness (0 to 1), chroma and hue (degrees), as people see them: bottosson.github.io/posts/oklab.

export type Oklch = { lightness: number; chroma: number; hue: number }

const toLinear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
const toGamma = (value: number) => (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055)

/** Channels from 0 to 255. */
export function toOklch(red: number, green: number, blue: number): Oklch {
  const [r, g, b] = [toLinear(red / 255), toLinear(green / 255), toLinear(blue / 255)] as const
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const lightness = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s
  const x = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const y = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  return { lightness, chroma: Math.hypot(x, y), hue: ((Math.atan2(y, x) * 180) / Math.PI + 360) % 360 }
}

/** `#rrggbb`; where a screen cannot show it, with less chroma. */
export function fromOklch({ lightness, chroma, hue }: Oklch): string {
  for (let less = chroma; ; less -= 0.004) {
    const channels = channelsOf(lightness, Math.max(less, 0), (hue * Math.PI) / 180)
    const isShown = channels.every((value) => value >= -0.0001 && value <= 1.0001)
    if (isShown || less <= 0) return `#${channels.map(toHex).join('')}`
  }
}

function channelsOf(lightness: number, chroma: number, angle: number): number[] {
  const [x, y] = [chroma * Math.cos(angle), chroma * Math.sin(angle)]
  const l = (lightness + 0.3963377774 * x + 0.2158037573 * y) ** 3
  const m = (lightness - 0.1055613458 * x - 0.0638541728 * y) ** 3
  const s = (lightness - 0.0894841775 * x - 1.291485548 * y) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map(toGamma)
}

function toHex(value: number): string {
  return Math.round(Math.min(Math.max(value, 0), 1) * 255)
    .toString(16)
    .padStart(2, '0')
}
