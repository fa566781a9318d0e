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
  const ends: number[] = []
  for (const { segment, index } of segmenter.segment(whole)) {
    const end = index + segment.trimEnd().length
    if (end > maxLength) break
    if (!abbreviation.test(segment) && /[\p{Po}\p{Pf}\p{Pe}"']$/u.test(segment.trimEnd())) ends.push(end)
  }
  const isLastWhole = !isCut || /[.!?。！？؟]["”’»)]*$/u.test(whole)
  const kept = isLastWhole ? ends.at(-1) : ends.findLast((end) => end < whole.length)
  return whole.slice(0, kept ?? 0)
}
