// What a book's own file says of it.
import { z } from 'zod'

const chapterKind = z.enum(['front', 'body', 'back'])
export type ChapterKind = z.infer<typeof chapterKind>

const chapter = z.object({
  /** May be empty. */
  title: z.string(),
  markdown: z.string(),
  kind: chapterKind,
})
export type Chapter = z.infer<typeof chapter>

export const readBook = z.object({
  file_format: z.enum(['epub', 'pdf']),
  title: z.string().optional(),
  subtitle: z.string().optional(),
  authors: z.array(z.string()),
  /** A language tag, as in `en`. */
  language: z.string().optional(),
  /** A blank line is between its paragraphs. */
  description: z.string().optional(),
  publisher: z.string().optional(),
  /** Digits only. */
  isbn: z.string().optional(),
  /** Of a PDF. */
  pages: z.int().optional(),
  contents: z.array(
    z.object({
      title: z.string(),
      /** 0 for the highest. */
      depth: z.int(),
      /** The place in `chapters`; null where it holds no text. */
      chapter: z.int().nullable(),
    }),
  ),
  chapters: z.array(chapter),
  /** The place of the body's first chapter. */
  firstChapter: z.int().nullable(),
  /** What could not be read, in plain words. */
  findings: z.array(z.string()),
})
export type ReadBook = z.infer<typeof readBook>
