// The language of a book: what its file says, compared with its text.
import { eld } from 'eld/extrasmall'

const [minLetters, minContradiction] = [40, 200]
/** The library reads the first 1,000 characters of a text: several places of a book are better evidence than one. */
const [samples, sampleLength] = [12, 1_000]
/** A share of the samples; a quotation in another language is no evidence. */
const minShare = 2 / 3
/** Scores of languages as close as Hindi and Marathi differ by less, in the same text. */
const minMargin = 0.02
/** A language that the library does not know has a high score only where the text is in another one. */
const minForeignScore = 0.75

/** Tags that the library does not know by their own name, or does not tell apart. */
const known: Record<string, string> = { nb: 'no', nn: 'no', id: 'ms', fil: 'tl', bs: 'hr', sh: 'hr' }
const tagOf: Record<string, string> = { no: 'nb', ms: 'id', tl: 'fil' }

type Detected = { language: string; score: number; scoreOf: (language: string) => number }

/** Undefined where there is too little text, or where no language is clearly the likeliest. */
function detectLanguage(text: string): Detected | undefined {
  if ((text.match(/\p{L}/gu)?.length ?? 0) < minLetters) return undefined
  const step = Math.max(sampleLength, Math.floor(text.length / samples))
  const results = []
  for (let at = 0; at < text.length; at += step) results.push(eld.detect(text.slice(at, at + sampleLength)))
  const whole = results.filter((result) => result.isReliable())
  const byLanguage = Map.groupBy(whole, ({ language }) => language)
  const [best] = [...byLanguage].toSorted(([, one], [, other]) => other.length - one.length)
  if (!best || best[1].length < results.length * minShare) return undefined
  const scoreOf = (language: string) =>
    best[1].reduce((sum, result) => sum + (result.getScores()[language] ?? 0), 0) / best[1].length
  const [language] = best
  return { language, score: scoreOf(language), scoreOf }
}

type Choice = { language?: string; possible_languages?: [string, string]; finding?: string }

/** Reads the language from the text where the file names none; where they contradict each other, the author is asked. */
export function chooseLanguage(declared: string | undefined, text: string): Choice {
  const detected = detectLanguage(text)
  if (!detected || (declared && !isContradicted(declared, detected, text.length)))
    return declared ? { language: declared } : {}
  const language =
    detected.language === 'zh' ? chineseOf(text) : (tagOf[detected.language] ?? detected.language)
  const name = new Intl.DisplayNames('en', { type: 'language' }).of(language) ?? language
  if (!declared)
    return { language, finding: `The file does not say its language; its text looks like ${name}.` }
  const finding = `The file says that its language is “${declared}”, but its text looks like ${name}: please check the language.`
  return { language, possible_languages: [declared, language], finding }
}

const languages = new Set(Object.values(eld.info().Languages))

function isContradicted(declared: string, { language, score, scoreOf }: Detected, length: number): boolean {
  const own = new Intl.Locale(declared).language
  const name = known[own] ?? own
  // Serbian in Latin letters is Croatian to the library.
  if (name === language || (name === 'sr' && language === 'hr')) return false
  if (scriptOf(language) !== scriptOf(declared)) return true
  if (length < minContradiction) return false
  const isDoubtful = scriptOf(language) !== 'Latn' || score < minForeignScore
  return languages.has(name) ? score - scoreOf(name) >= minMargin : !isDoubtful
}

const scriptOf = (language: string) => new Intl.Locale(language).maximize().script

/** Simplified and traditional forms of the same common characters. */
function chineseOf(text: string): string {
  const simplified = text.match(/[们这国来说时会对过个为学从见门车东书长马]/gu)?.length ?? 0
  const traditional = text.match(/[們這國來說時會對過個為學從見門車東書長馬]/gu)?.length ?? 0
  return simplified > traditional ? 'zh-Hans' : 'zh-Hant'
}
