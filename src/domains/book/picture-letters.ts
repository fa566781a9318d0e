// The fonts that pictures of the book are written with, and the letters that they have.
import { ownFile } from '#platform/own-file.ts'

const files = ['vietnamese', 'latin-ext', 'cyrillic-ext', 'cyrillic', 'greek', 'latin'].flatMap(
  (script) =>
    [
      `#web/generated/fonts/small-letters-${script}.ttf`,
      `#web/generated/fonts/letters-${script}.ttf`,
    ] as const,
)

export const pictureFonts = (): string[] => files.map(ownFile)

const latin = String.raw` -~\u00a0-\u0148\u014a-\u017e\u018f\u0192\u01a0\u01a1\u01af\u01b0\u01c4-\u01cc\u01e6\u01e7\u01ea\u01eb\u01fa-\u021b\u022a-\u022d\u0230-\u0233\u0237\u0259\u1e80-\u1e85\u1e9e\u1ea0-\u1ef9`
const greek = String.raw`\u0384-\u038a\u038c\u038e-\u03a1\u03a3-\u03ce`
const cyrillic = String.raw`\u0400-\u045f\u0462\u0463\u0490-\u0493\u0496-\u049b\u04a0-\u04a3\u04aa\u04ab\u04ae-\u04b3\u04b6\u04b7\u04ba\u04bb\u04c0-\u04c2\u04cf-\u04d1\u04d4-\u04d9\u04e2\u04e3\u04e6-\u04e9\u04ee\u04ef\u04f2\u04f3`
const signs = String.raw`\u2013\u2014\u2018-\u201a\u201c-\u201e\u2020\u2022\u2026\u2039\u203a\u20ac\u2116\u2122\u2212`
const written = new RegExp(`^[${latin}${greek}${cyrillic}${signs}]*$`)

/** All letters of the texts are in these fonts. A picture has no words in any other letters. */
export function isWritten(texts: readonly string[]): boolean {
  return written.test(texts.join('').normalize('NFC'))
}
