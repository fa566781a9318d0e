// The renditions of every picture. Without zod: public pages load this.
import type { Picture } from './pictures.ts'

export const pictureWidths = [320, 640, 1280] as const
/** The picture stands beside the title in the header, three pixels for one. */
export const markWidth = 72
export const iconSides = [32, 180, 192, 512] as const
export const socialSize = { width: 1200, height: 630 }

const kinds = ['webp', 'jpg'] as const
export type PictureKind = (typeof kinds)[number]

export type Rendition =
  | `${(typeof pictureWidths)[number]}.${PictureKind}`
  | `icon-${(typeof iconSides)[number]}.png`
  | 'mark.webp'
  | 'maskable.png'
  | 'social.jpg'

export function pictureUrl(id: string, rendition: Rendition): string {
  return `/pictures/${id}/${rendition}`
}

export function pictureSources({ id, width }: Picture, kind: PictureKind): string {
  return pictureWidths
    .filter((_, nth) => (pictureWidths[nth - 1] ?? 0) < width)
    .map((each) => `${pictureUrl(id, `${each}.${kind}`)} ${Math.min(each, width)}w`)
    .join(', ')
}

export const maxPictureBytes = 20 * 1024 * 1024
