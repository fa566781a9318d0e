// The box with which a buyer asks for the author's letters. It is apart from the consent to delivery, and never ticked.
import { lettersWords } from '#contract/mail/letters-words.ts'
import { useLettersTerms } from '../shop.ts'

type LettersBoxProps = {
  /** The words that were ticked in a form that came back. */
  ticked?: string | undefined
}

/** Its value is the text that was agreed to: the shop compares it with its own, and stores it. */
export function LettersBox({ ticked }: LettersBoxProps) {
  const terms = useLettersTerms()
  if (!terms) return null
  const words = lettersWords(terms)
  return (
    <label className="flex cursor-pointer gap-3 text-sm text-pretty">
      <input
        type="checkbox"
        name="letters"
        value={words}
        defaultChecked={ticked === words}
        className="mt-0.5 size-5 shrink-0 accent-ink"
      />
      <span>{words}</span>
    </label>
  )
}
