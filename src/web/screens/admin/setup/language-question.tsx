import type { BookDocument } from '#contract/book/book.ts'

type LanguageQuestionProps = {
  /** Of the file, and of its text. */
  languages: [string, string]
  language: BookDocument['language']
  onChoose: (language: string) => void
}

const names = new Intl.DisplayNames('en', { type: 'language' })

export function LanguageQuestion({ languages: [ofFile, ofText], language, onChoose }: LanguageQuestionProps) {
  const choices = [
    { tag: ofText, why: 'as its text looks' },
    { tag: ofFile, why: 'as the file says' },
  ]
  return (
    <fieldset className="mt-3 text-sm">
      <legend className="font-semibold">Which language is your book in?</legend>
      {choices.map(({ tag, why }) => (
        <label key={tag} className="mt-1.5 flex w-fit cursor-pointer items-center gap-2 py-0.5">
          <input
            type="radio"
            name="book-language"
            className="tick rounded-full"
            checked={language === tag}
            onChange={() => onChoose(tag)}
          />
          {names.of(tag)}, {why}
        </label>
      ))}
    </fieldset>
  )
}
