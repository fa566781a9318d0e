// Turns words into outlines of Fraunces, so that a drawing needs no font where it is shown.
import { type Font, create } from 'fontkit'
import { cutFont } from './fonts.ts'

export type Lettering = {
  width(text: string, size: number, tracking?: number): number
  /** SVG path data, in whole units, of one line whose baseline begins at (x, y). */
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
      const pen = new Pen()
      for (const { glyph, x: offset } of letters)
        for (const { command, args } of glyph.path.commands)
          pen.draw(
            command,
            args.map((value, at) => Math.round(at % 2 ? y - value * scale : x + offset + value * scale)),
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

const relative = { moveTo: 'm', lineTo: 'l', quadraticCurveTo: 'q', bezierCurveTo: 'c', closePath: 'z' }

/** Writes each point from where the last one ended: half the bytes of absolute coordinates. */
class Pen {
  path = ''
  #x = 0
  #y = 0
  #start = [0, 0]

  draw(command: keyof typeof relative, points: number[]): void {
    const steps = points.map((value, at) => value - (at % 2 ? this.#y : this.#x))
    this.path += relative[command] + steps.map((step, at) => (at && step >= 0 ? ` ${step}` : step)).join('')
    if (command === 'closePath') points = this.#start
    ;[this.#x, this.#y] = points.slice(-2) as [number, number]
    if (command === 'moveTo') this.#start = points
  }
}
