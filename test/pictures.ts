// Pictures for tests.
import sharp from 'sharp'

type Looks = { width?: number; height?: number; color?: string }

/** Of one color, to be encoded. */
export function paint({ width = 400, height = 600, color = '#2b355c' }: Looks = {}) {
  return sharp({ create: { width, height, channels: 3, background: color } })
}

/** Random, so that it cannot be compressed. */
export function paintNoise(width: number, height: number) {
  const noise = { type: 'gaussian', mean: 120, sigma: 30 } as const
  return sharp({ create: { width, height, channels: 3, background: '#000', noise } })
}
