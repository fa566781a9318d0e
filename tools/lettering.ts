// Turns words into outlines of Fraunces, so that a drawing needs no font where it is shown.
import { Blob, Buffer, Face, Font, shape } from 'harfbuzzjs'
import { cutFont } from './fonts.ts'

export type Lettering = {
  width(text: string, size: number, tracking?: number): number
  /** SVG path data, in whole units, of one line whose baseline begins at (x, y). */
  outline(text: string, size: number, x: number, y: number, tracking?: number): string
}

/** `tracking` is space added after each letter, as a fraction of the size. */
export async function cutLettering(weight: number, opticalSize: number): Promise<Lettering> {
  const file = await cutFont('fraunces', 'sfnt', { wght: weight, opsz: opticalSize })
  const face = new Face(new Blob(file))
  const font = new Font(face)

  function place(text: string, size: number, tracking: number) {
    const scale = size / face.upem
    const buffer = new Buffer()
    buffer.addText(text)
    buffer.guessSegmentProperties()
    shape(font, buffer)
    const positions = buffer.getGlyphPositions()
    let pen = 0
    const letters = buffer.getGlyphInfos().map(({ codepoint }, index) => {
      const { xAdvance = 0, xOffset = 0 } = positions[index] ?? {}
      const letter = { glyph: codepoint, x: pen + xOffset * scale }
      pen += xAdvance * scale + tracking * size
      return letter
    })
    return { letters, scale, width: pen - tracking * size }
  }

  return {
    width: (text, size, tracking = 0) => place(text, size, tracking).width,
    outline(text, size, x, y, tracking = 0) {
      const { letters, scale } = place(text, size, tracking)
      const pen = new Pen()
      for (const { glyph, x: offset } of letters)
        for (const { type, values } of font.glyphToJson(glyph))
          pen.draw(
            type,
            values.map((value, at) => Math.round(at % 2 ? y - value * scale : x + offset + value * scale)),
          )
      return pen.path
    },
  }
}

/** Breaks words into the lines that can be set largest within the box, and says how large. */
export function breakLines(
  lettering: Lettering,
  text: string,
  box: { size: number; width: number; height: number },
): { lines: string[]; size: number } {
  const words = text.split(' ').filter(Boolean)
  const settings = words.map((_, index) => {
    const lines = balance(words, index + 1)
    const widest = Math.max(...lines.map((line) => lettering.width(line, 1)))
    return { lines, size: Math.min(box.size, box.width / widest, box.height / lines.length / 1.08) }
  })
  return settings.reduce(
    (best, next) => (next.size > best.size * 1.05 ? next : best),
    settings[0] ?? { lines: [], size: 0 },
  )
}

/** Words in `count` lines whose longest is as short as can be. */
function balance(words: string[], count: number): string[] {
  if (count === 1) return [words.join(' ')]
  const options = words.slice(0, words.length - count + 1).map((_, index) => {
    const first = words.slice(0, index + 1).join(' ')
    return [first].concat(balance(words.slice(index + 1), count - 1))
  })
  const longest = (lines: string[]) => Math.max(...lines.map(({ length }) => length))
  return options.reduce((best, next) => (longest(next) < longest(best) ? next : best))
}

/** Writes each point relative to the end of the last command: half the bytes of absolute coordinates. */
class Pen {
  path = ''
  #x = 0
  #y = 0
  #start = [0, 0]

  draw(command: string, points: number[]): void {
    const steps = points.map((value, at) => value - (at % 2 ? this.#y : this.#x))
    this.path +=
      command.toLowerCase() + steps.map((step, at) => (at && step >= 0 ? ` ${step}` : step)).join('')
    const [x = 0, y = 0] = (command === 'Z' ? this.#start : points).slice(-2)
    this.#x = x
    this.#y = y
    if (command === 'M') this.#start = points
  }
}
