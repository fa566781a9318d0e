import type { apiTexts, mailsTexts, pagesTexts } from '../groups.ts'
import type { Plural } from '../texts.ts'

type Translated<Texts> = Texts extends string
  ? string
  : Texts extends Plural
    ? Plural
    : { readonly [Name in keyof Texts]: Translated<Texts[Name]> }

/** All texts in another language, in the order of the standard ones. A list has as many as the standard one. */
export type Translation = Translated<typeof pagesTexts & typeof apiTexts & typeof mailsTexts>
