export type Box = { left: number; top: number; right: number; bottom: number }
export type Control = Box & { isSpare?: boolean }

/** Pixels kept free around a control and along the edges of the window. */
const gap = 8
const margin = 16

/**
 * The top left corner for a box of this size: as low as possible, first at the right side, then at the left. Where no
 * place is free, the one that covers the fewest controls, and rather those that can be spared.
 */
export function findPlace(
  window: { width: number; height: number },
  size: { width: number; height: number },
  controls: readonly Control[],
): { left: number; top: number } {
  const lowest = Math.max(margin, window.height - margin - size.height)
  const lefts = [...new Set([window.width - margin - size.width, margin])]
  const tops = [lowest, ...controls.map(({ top }) => top - gap - size.height), margin]
    .filter((top) => top >= margin && top <= lowest)
    .toSorted((a, b) => b - a)
  const places = lefts.flatMap((left) => tops.map((top) => ({ left, top })))
  const costs = places.map(({ left, top }) =>
    countCovered({ left, top, right: left + size.width, bottom: top + size.height }, controls),
  )
  return places[costs.indexOf(Math.min(...costs))] ?? { left: margin, top: margin }
}

function countCovered(box: Box, controls: readonly Control[]): number {
  const covered = controls.filter(
    ({ left, top, right, bottom }) =>
      left < box.right + gap && right > box.left - gap && top < box.bottom + gap && bottom > box.top - gap,
  )
  const spared = covered.filter(({ isSpare }) => isSpare).length
  return spared + (covered.length - spared) * (controls.length + 1)
}
