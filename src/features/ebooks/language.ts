// The language of a text: by its letters, and of Latin letters by its commonest words.
import type { Chapter } from './contract/read-book.ts'

const minLetters = 40
/** Enough for a verdict, and quick. */
const maxSample = 20_000

const scripts: [RegExp, (text: string) => string][] = [
  [/\p{sc=Hiragana}|\p{sc=Katakana}/gu, () => 'ja'],
  [/\p{sc=Hangul}/gu, () => 'ko'],
  [/\p{sc=Han}/gu, chineseOf],
  [/\p{sc=Cyrillic}/gu, cyrillicOf],
  [/\p{sc=Greek}/gu, () => 'el'],
  [/\p{sc=Arabic}/gu, (text) => (/[ٹڈڑےں]/u.test(text) ? 'ur' : /[پچژگ]/u.test(text) ? 'fa' : 'ar')],
  [/\p{sc=Hebrew}/gu, () => 'he'],
  [/\p{sc=Armenian}/gu, () => 'hy'],
  [/\p{sc=Georgian}/gu, () => 'ka'],
  [/\p{sc=Devanagari}/gu, () => 'hi'],
  [/\p{sc=Thai}/gu, () => 'th'],
]

/** Simplified and traditional forms of the same common characters. */
function chineseOf(text: string): string {
  const simplified = text.match(/[们这国来说时会对过个为学从见门车东书长马]/gu)?.length ?? 0
  const traditional = text.match(/[們這國來說時會對過個為學從見門車東書長馬]/gu)?.length ?? 0
  return simplified > traditional ? 'zh-Hans' : 'zh-Hant'
}

function cyrillicOf(text: string): string {
  if (/[ўЎ]/u.test(text)) return 'be'
  if (/[їЇєЄґҐ]/u.test(text)) return 'uk'
  if (/[ђћџјљњЂЋЏЈЉЊ]/u.test(text)) return 'sr'
  return /[ыэёЫЭЁ]/u.test(text) || !/ъ/u.test(text) ? 'ru' : 'bg'
}

const commonWords: Record<string, string> = {
  en: 'the and of to in that it was his with for not is be as he they which had',
  de: 'der die und das nicht ein ich ist zu den mit sie es auf dem war von eine sich auch',
  fr: 'le la les et des est un une dans que qui pas il elle pour sur avec ce au je vous',
  es: 'el la los las y que de en un una no por con su para como más pero del era',
  it: 'il di che e la un una non per con del della gli nel sono era più ma anche si',
  pt: 'o a os que e de não um uma com para por do da em se mais como mas foi',
  nl: 'de het een en van is niet dat ik te zijn op met voor hij die maar aan er ze',
  sv: 'och att det som en på är av för med den till inte jag var han om ett men sig',
  da: 'og at det som en på er af for med den til ikke jeg var han om et men sig',
  nb: 'og å det som en på er av for med den til ikke jeg var han om et men seg',
  fi: 'ja on ei se että oli hän mutta kun niin myös ovat mitä tämä joka minä hänen',
  pl: 'i w na nie się z że do to jest jak ale po co był tak jego już dla',
  cs: 'a se v na je že to s z do ale jako po byl jsem jeho tak si není už',
  hu: 'a az és hogy nem is egy volt meg de ez csak ha még már mint azt',
  ro: 'și de la în a nu cu că un o pe din se mai care pentru era sunt ca',
  tr: 've bir bu da de için ile çok ne gibi o ama daha kadar olarak sonra her',
  vi: 'và của là không có một cho được những người trong với các đã này khi tôi',
}

/** Japanese is written with more Chinese characters than its own; a syllable is a letter there, and a word in Chinese. */
const minShares = new Map([
  ['ja', 0.15],
  ['ko', 0.3],
  ['zh-Hant', 0.25],
])

type Detected = { language: string; isSure: boolean }

/** Undefined where there is too little text, or where no language is clearly the likeliest. */
function detectLanguage(text: string, declared: string | undefined): Detected | undefined {
  const sample = text.slice(0, maxSample)
  const letters = sample.match(/\p{L}/gu)?.length ?? 0
  if (letters < minLetters) return undefined
  for (const [script, language] of scripts) {
    const share = (sample.match(script)?.length ?? 0) / letters
    if (share >= (minShares.get(language('')) ?? 0.5)) return { language: language(sample), isSure: true }
  }
  return detectLatin(sample, declared)
}

const [minShare, sureShare, foreignShare, sureWords] = [0.12, 0.15, 0.08, 100]

function detectLatin(sample: string, declared: string | undefined): Detected | undefined {
  const words = sample.toLowerCase().match(/\p{L}+/gu) ?? []
  const shares = Object.entries(commonWords)
    .map(([language, common]) => {
      const known = new Set(common.split(' '))
      return { language, share: words.filter((word) => known.has(word)).length / words.length }
    })
    .toSorted((one, other) => other.share - one.share)
  const [best, next] = shares
  if (!best || best.share < minShare || best.share === next?.share) return undefined
  const own = shares.find(({ language }) => language === declared?.split('-', 1)[0])
  const isForeign = own !== undefined && own.share <= Math.max(foreignShare, best.share / 3)
  return {
    language: best.language,
    isSure: isForeign && best.share >= sureShare && words.length >= sureWords,
  }
}

/** Says it where the file named no language, or one that is not written in these letters. */
export function chooseLanguage(
  declared: string | undefined,
  chapters: readonly Chapter[],
): { language?: string; finding?: string } {
  const bodies = chapters.filter(({ kind }) => kind === 'body')
  const text = (bodies.length > 0 ? bodies : chapters).map(({ markdown }) => markdown.slice(0, 2_000))
  const detected = detectLanguage(text.join(' '), declared)
  if (!detected || (declared && !isOther(declared, detected))) return declared ? { language: declared } : {}
  const { language } = detected
  const name = new Intl.DisplayNames('en', { type: 'language' }).of(language) ?? language
  const finding = declared
    ? `The file says that its language is “${declared}”, but its text looks like ${name}: please check the language.`
    : `The file does not say its language; its text looks like ${name}.`
  return { language, finding }
}

function isOther(declared: string, { language, isSure }: Detected): boolean {
  return isSure && (scriptOf(language) === 'Latn' || scriptOf(declared) !== scriptOf(language))
}

const written: Record<string, string> = {
  Jpan: 'Han',
  Hans: 'Han',
  Hant: 'Han',
  Kore: 'Hangul',
  Hang: 'Hangul',
}

function scriptOf(language: string): string {
  const script = new Intl.Locale(language).maximize().script ?? ''
  return written[script] ?? script
}
