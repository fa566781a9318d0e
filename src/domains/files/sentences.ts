// Cuts a text behind a sentence, never within one.
const abbreviation = /(^|[\s(.])(\p{Lu}|mr|mrs|ms|dr|prof|rev|st|no|vol|ch|vs|cf|e\.g|i\.e|etc|al)\.\s*$/iu
/** Where a shop's page hid the rest, the sentence before it is cut, too. */
const hiddenRest =
  /(\[(…|\.\.\.)\](\s*[([]?(read|show|see) more[)\]]?)?|(…|\.\.\.)\s*[([]?(read|show|see)? ?more[)\]]?|\(?(read|show) more\)?)\.?\s*$/iu
/** For the breaks between sentences the language is of no weight. */
const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/** Empty where even the first sentence is longer than `maxLength`. */
export function wholeSentences(text: string, maxLength: number): string {
  const isCut = hiddenRest.test(text)
  const whole = text.replace(hiddenRest, '').trim()
  if (!isCut && whole.length <= maxLength) return whole
  const ends = sentenceEnds(whole).filter((end) => end <= maxLength)
  const isLastWhole = !isCut || /[.!?。！？؟]["”’»)]*$/u.test(whole)
  const kept = isLastWhole ? ends.at(-1) : ends.findLast((end) => end < whole.length)
  return whole.slice(0, kept ?? 0)
}

/** The whole text where it is no longer than `maxLength`, else its first sentence. */
export function leadingSentence(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : text.slice(0, sentenceEnds(text)[0] ?? text.length)
}

function sentenceEnds(text: string): number[] {
  return [...segmenter.segment(text)].flatMap(({ segment, index }) => {
    const sentence = segment.trimEnd()
    const isEnd = !abbreviation.test(segment) && /[\p{Po}\p{Pf}\p{Pe}"']$/u.test(sentence)
    return isEnd ? [index + sentence.length] : []
  })
}
