// The words that one agrees to for the author's letters. The server compares what is sent with its own.
import { lettersTexts } from '#words/letters.ts'
import { fill } from '#words/texts.ts'
import type { LettersTerms } from './letters.ts'

export function lettersWords({ sender, topics, frequency, program }: LettersTerms): string {
  const agreed = fill(lettersTexts.agree, { sender, topics, frequency })
  return program ? `${agreed} ${fill(lettersTexts.program, { program })}` : agreed
}
