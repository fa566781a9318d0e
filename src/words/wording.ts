// The words in which the pages and emails of a book are written.
import { isOfPage, shownTexts } from './catalogue.ts'
import { loadTranslation, localeOf } from './languages/languages.ts'
import { standardWording, type Texts, type Wording, readTextsFrom } from './texts.ts'
import { AsyncLocalStorage } from 'node:async_hooks'

type Book = { language: string; texts: Texts }

export async function loadWording({ language, texts: changed }: Book): Promise<Wording> {
  const texts = { ...(await loadTranslation(language)), ...shownTexts(changed) }
  return { ...standardWording, locale: localeOf(language), texts }
}

/** Emails' texts stay on the server. */
export async function loadPageWording(book: Book): Promise<Wording> {
  const wording = await loadWording(book)
  const ofPages = Object.entries(wording.texts).filter(([key]) => isOfPage(key))
  return { ...wording, texts: Object.fromEntries(ofPages) }
}

// The server makes pages and emails of several books at a time: the published one, and drafts.
const storage = new AsyncLocalStorage<Wording>()

readTextsFrom(() => storage.getStore() ?? standardWording)

/** `work` and all that it waits for read the texts in this wording. */
export function withTexts<Result>(wording: Wording, work: () => Result): Result {
  return storage.run(wording, work)
}
