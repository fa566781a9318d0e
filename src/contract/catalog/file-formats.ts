import { z } from 'zod'

export const fileFormats = ['epub', 'pdf', 'mobi'] as const
export const fileFormat = z.enum(fileFormats)
export type FileFormat = z.infer<typeof fileFormat>

export const mediaTypes: Record<FileFormat, string> = {
  epub: 'application/epub+zip',
  pdf: 'application/pdf',
  mobi: 'application/x-mobipocket-ebook',
}
