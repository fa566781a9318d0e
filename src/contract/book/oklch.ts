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
