// Turns words into outlines of Fraunces, so that a drawing needs no font where it is shown.
import { type Font, create } from 'fontkit'
import { cutFont } from './fonts.ts'

export type Lettering = {
  width(text: string, size: number, tracking?: number): number
  /** SVG path data of one line whose baseline begins at (x, y). */
  outline(text: string, size: number, x: number, y: number, tracking?: number): string
}

/** `tracking` is space added after each letter, in parts of the size. */
export async function cutLettering(weight: number, opticalSize: number): Promise<Lettering> {
  const font = create(await cutFont('fraunces', 'sfnt', { wght: weight, opsz: opticalSize })) as Font

  function place(text: string, size: number, tracking: number) {
    const scale = size / font.unitsPerEm
    const { glyphs, positions } = font.layout(text)
    let pen = 0
    const letters = glyphs.map((glyph, index) => {
      const { xAdvance, xOffset } = positions[index]!
      const letter = { glyph, x: pen + xOffset * scale }
      pen += xAdvance * scale + tracking * size
      return letter
    })
    return { letters, scale, width: pen - tracking * size }
  }

  return {
    width: (text, size, tracking = 0) => place(text, size, tracking).width,
    outline(text, size, x, y, tracking = 0) {
      const { letters, scale } = place(text, size, tracking)
      return letters
        .flatMap(({ glyph, x: offset }) =>
          glyph.path.commands.map(({ command, args }) => {
            const points = args.map((value, at) =>
              round(at % 2 ? y - value * scale : x + offset + value * scale),
            )
            return svgCommands[command] + points.join(' ')
          }),
        )
        .join('')
    },
  }
}

const svgCommands = { moveTo: 'M', lineTo: 'L', quadraticCurveTo: 'Q', bezierCurveTo: 'C', closePath: 'Z' }

function round(value: number): number {
  return Math.round(value * 10) / 10
}
