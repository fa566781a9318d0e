// The letters of a book's language, by which its fonts are chosen (look.css).
import fraunces from '../generated/fonts/fraunces-latin.woff2?url'
import inter from '../generated/fonts/inter-latin.woff2?url'
import interCyrillic from '../generated/fonts/inter-cyrillic.woff2?url'
import interGreek from '../generated/fonts/inter-greek.woff2?url'
import serifCyrillic from '../generated/fonts/source-serif-4-cyrillic.woff2?url'
import serifGreek from '../generated/fonts/source-serif-4-greek.woff2?url'

/** The shop has no font for `other`. */
export type Letters = 'latin' | 'greek' | 'cyrillic' | 'other'

/** Takes a language tag; a draft's may be any text. */
export function lettersOf(language: string): Letters {
  const script = scriptOf(language)
  if (script === 'Grek') return 'greek'
  if (script === 'Cyrl') return 'cyrillic'
  return script === undefined || script === 'Latn' ? 'latin' : 'other'
}

function scriptOf(language: string): string | undefined {
  try {
    return new Intl.Locale(language).maximize().script
  } catch {
    return undefined
  }
}

/** The first paint needs these; of further fonts a browser loads those that it meets letters of. */
export const firstFonts: Record<Letters, string[]> = {
  latin: [fraunces, inter],
  greek: [serifGreek, interGreek, inter],
  cyrillic: [serifCyrillic, interCyrillic, inter],
  other: [],
}
