// The contents of an uploaded ebook: its metadata, its table of contents, its chapters, and findings. Nothing is read of a MOBI
// but that it is one.
import { z } from 'zod'

const chapter = z.object({
  title: z.string(),
  markdown: z.string(),
  kind: z.enum(['front', 'part', 'body', 'back']),
})
export type Chapter = z.infer<typeof chapter>

export const readBook = z.object({
  file_format: z.enum(['epub', 'pdf', 'mobi']),
  title: z.string().optional(),
  subtitle: z.string().optional(),
  authors: z.array(z.string()),
  language: z.string().optional(),
  /** The languages of the file and of the text, where they contradict each other. */
  possible_languages: z.tuple([z.string(), z.string()]).optional(),
  description: z.string().optional(),
  publisher: z.string().optional(),
  /** A day, a month or a year of ISO 8601. */
  published_on: z.string().optional(),
  isbn: z.string().optional(),
  pages: z.int().optional(),
  contents: z.array(
    z.object({
      title: z.string(),
      depth: z.int(),
      /** The place in `chapters`; null where it holds no text. */
      chapter: z.int().nullable(),
    }),
  ),
  chapters: z.array(chapter),
  firstChapter: z.int().nullable(),
  findings: z.array(z.string()),
})
export type ReadBook = z.infer<typeof readBook>
