import { currentLocale } from '#words/texts.ts'

/** What `Intl` makes for the language of the page. Opening its data takes 10 ms and more. */
export function byLocale<Value>(make: (locale: string) => Value): () => Value {
  const values = new Map<string, Value>()
  return () => {
    const locale = currentLocale()
    const value = values.get(locale) ?? make(locale)
    values.set(locale, value)
    return value
  }
}
