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
