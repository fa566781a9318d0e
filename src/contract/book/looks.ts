// The looks of a book: its palette, its accent, and the CSS of both.
import { z } from 'zod'
import { color, pictureColors } from '../files/pictures.ts'
import { type ColorPair, type Palette, minContrast, paletteNames, palettes } from './palettes.ts'
import { coverPalette } from './cover-palette.ts'
import { contrastOf, mixColors } from './colors.ts'

export const draftLooks = z.object({
  palette: z.enum(paletteNames),
  accent: color.nullable(),
  /** The colors of the cover's picture as it was uploaded; null for a drawn cover. */
  cover_colors: pictureColors.nullable(),
  /** The cover's colors take the palette's place. */
  uses_cover_colors: z.boolean(),
})
export type Looks = z.infer<typeof draftLooks>

export const looks = draftLooks.superRefine((value, context) => {
  const message = findAccentFault(value)?.says
  if (message) context.addIssue({ code: 'custom', path: ['accent'], message })
})

/** Leaves out the author's accent. */
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

/** Names are those of look.css. */
function tokensOf(palette: Palette): Record<string, ColorPair> {
  const { page, surface, ink, soft, line, edge, raised, gold, gold_text, night } = palette
  const glow = palette.glow ?? [mixColors(gold[0], '#ffffff', 0.62), gold[1]]
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
    ember: [glow[1], glow[1]],
    'door-core': [mixColors(glow[0], '#ffffff', 0.92), mixColors(glow[1], '#ffffff', 0.45)],
    'door-glow': [mixColors(glow[0], '#ffffff', 0.6), mixColors(glow[1], page[1], 0.2)],
    'door-rim': [mixColors(glow[0], '#ffffff', 0.2), mixColors(glow[1], page[1], 0.75)],
  }
}

export function hasDefaultColors(looks: Looks): boolean {
  return paletteOf(looks) === palettes[paletteNames[0]] && looks.accent === null
}

/** Returns the style that the page needs besides look.css, which has the default. Values are colors of six or eight digits. */
export function looksCss(looks: Looks): string {
  if (hasDefaultColors(looks)) return ''
  const tokens = Object.entries(tokensOf(resolveLooks(looks)))
  return `:root{${tokens.map(([name, [light, dark]]) => `--color-${name}:light-dark(${light},${dark})`).join(';')}}`
}
