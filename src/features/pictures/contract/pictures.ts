import { z } from 'zod'
import { id } from '#platform/contract/fields.ts'

/** `width` and `height` are those of the whole picture, upright, in pixels; its renditions are smaller. */
export const picture = z.object({ id, width: z.number().int().min(1), height: z.number().int().min(1) })
export type Picture = z.infer<typeof picture>

export const pictureRequest = z.strictObject({ upload_id: z.string().regex(/^[0-9a-f]{32}$/) })
