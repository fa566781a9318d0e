import { z } from 'zod'

export const fileFormats = ['epub', 'pdf', 'mobi'] as const
export const fileFormat = z.enum(fileFormats)
export type FileFormat = z.infer<typeof fileFormat>
