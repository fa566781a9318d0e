// Uploaded pictures: their sizes, their colors, and the request that uploads one.
import { z } from 'zod'
import { id } from '../fields.ts'

/** `width` and `height` are those of the whole picture, upright, in pixels; its renditions are smaller. */
export const picture = z.object({ id, width: z.number().int().min(1), height: z.number().int().min(1) })
export type Picture = z.infer<typeof picture>

export const color = z.string().regex(/^#[0-9a-f]{6}$/, 'This must be a color, as #875c10.')

/** `main` is the color of the largest part, `accent` that of the most vivid one. */
/** `light`: one of another hue than `main`, if there is such a part. */
export const pictureColors = z.object({ main: color, accent: color, light: color.optional() })
export type PictureColors = z.infer<typeof pictureColors>

export const addedPicture = picture.extend({ colors: pictureColors })
export type AddedPicture = z.infer<typeof addedPicture>

export const pictureRequest = z.strictObject({ upload_id: z.string().regex(/^[0-9a-f]{32}$/) })
