import { expect, test } from 'vitest'
import { readyLanguages } from '#words/languages/languages.ts'
import { standardAnswers } from './standard-answers.ts'

const textsOf = ({ question, ...answers }: ReturnType<typeof standardAnswers>) => [
  ...Object.values(answers),
  question.subject,
  question.body,
]

test('each language that the shop has texts in has answers of its own, another one those in English', () => {
  const english = standardAnswers('en-US')
  for (const language of readyLanguages.filter((each) => each !== 'en')) {
    const own = textsOf(standardAnswers(`${language}-XX`))
    expect([language, own.filter((text) => textsOf(english).includes(text))]).toEqual([language, []])
    expect(own.filter((text) => text.includes('{order}'))).toHaveLength(2)
  }
  expect(standardAnswers('sv')).toBe(english)
})
