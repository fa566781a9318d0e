// The colors that a picture is remembered by: of its largest part, the most vivid one of a part that is seen, and the one that
// lights it.
import { fromOklch, toOklch, type Oklch } from '#contract/book/oklch.ts'
import type { PictureColors } from '#contract/files/pictures.ts'

/** Less is seen as gray. */
const minChroma = 0.035
const hueWidth = 20
/** A share of all pixels: a smaller part is a speck. */
const minPart = 0.01

type Group = { weight: number; lightness: number; x: number; y: number }

/** `pixels` are red, green and blue, one byte each. */
export function findColors(pixels: Uint8Array): PictureColors {
  const groups = new Map<string, Group>()
  for (let at = 0; at + 2 < pixels.length; at += 3)
    addTo(groups, toOklch(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0))
  const result = [...groups.values()]
  const total = pixels.length / 3
  const seen = result.filter(({ weight }) => weight >= total * minPart)
  const main = largest(seen.length > 0 ? seen : result, ({ weight }) => weight)
  // A large part counts for more, yet not as much more as it is larger: a red ribbon on a gray cover is its accent.
  const vivid = largest(seen, (group) => chromaOf(group) * Math.sqrt(group.weight / total))
  const accent = vivid && chromaOf(vivid) >= minChroma ? vivid : main
  const light = largest(
    seen.filter((group) => chromaOf(group) >= minChroma && main && isOfOtherHue(group, main)),
    (group) => (chromaOf(group) * Math.sqrt(group.weight / total) * group.lightness) / group.weight,
  )
  return { main: colorOf(main), accent: colorOf(accent), ...(light && { light: colorOf(light) }) }
}

/** Degrees: less is another shade of the same color. */
const minHueDistance = 60

/** A gray has no hue, so every color is another. */
function isOfOtherHue(group: Group, main: Group): boolean {
  if (chromaOf(main) < minChroma) return true
  const distance = Math.abs(hueOf(group) - hueOf(main))
  return Math.min(distance, 360 - distance) >= minHueDistance
}

/** Grays by their lightness, colors also by their hue. */
function addTo(groups: Map<string, Group>, { lightness, chroma, hue }: Oklch): void {
  const shade = Math.floor(lightness * 5)
  const key = chroma < minChroma ? `gray ${shade}` : `${Math.floor(hue / hueWidth)} ${shade}`
  const group = groups.get(key) ?? { weight: 0, lightness: 0, x: 0, y: 0 }
  groups.set(key, group)
  const angle = (hue * Math.PI) / 180
  group.weight += 1
  group.lightness += lightness
  group.x += chroma * Math.cos(angle)
  group.y += chroma * Math.sin(angle)
}

/** The first of several that are as large. */
function largest(groups: readonly Group[], sizeOf: (group: Group) => number): Group | undefined {
  return groups.reduce<Group | undefined>(
    (best, group) => (best && sizeOf(best) >= sizeOf(group) ? best : group),
    undefined,
  )
}

const chromaOf = ({ weight, x, y }: Group) => Math.hypot(x, y) / weight

const hueOf = ({ x, y }: Group) => ((Math.atan2(y, x) * 180) / Math.PI + 360) % 360

function colorOf(group: Group | undefined): string {
  if (!group) return '#808080'
  const { lightness, weight } = group
  return fromOklch({ lightness: lightness / weight, chroma: chromaOf(group), hue: hueOf(group) })
}
