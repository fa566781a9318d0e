// Titles as contents and headings have them: with the number before them, or without.

export function letters(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/** A letter alone may be a word, such as “I”. */
const numeral = String.raw`(\d+(\.\d+)*|[ivxlcdm]{2,}|[ivx](?!\s*\p{L})|[a-z](?=[.):]))`
const numberWord =
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty'
const label =
  'chapter|part|book|section|appendix|kapitel|teil|anhang|chapitre|partie|capítulo|capitulo|capitolo|parte|hoofdstuk|deel|rozdział|глава|часть|приложение|розділ|κεφάλαιο|μέρος|الفصل|الجزء|פרק|חלק'

/** “Chapter 3.”, “3.”, “III”, “第三章” before a title. */
const numbering = new RegExp(
  String.raw`^\s*(?:(?:${label})\s+(?:${numeral}|(?:${numberWord})(?:-(?:${numberWord}))?)\b|${numeral}(?=[.:)\s—–-]|$)|第[一二三四五六七八九十百千〇零\d]+[章回話话节節部篇編编夜幕])[\s.:)—–-]*`,
  'iu',
)

export function withoutNumber(title: string): string {
  return title.replace(numbering, '').trim()
}

/** A number and nothing else: “Chapter 3”, “III.”. */
export function isNumber(text: string): boolean {
  return text.trim() !== '' && withoutNumber(text) === ''
}

/** Whether a number stands before it. */
export function isNumbered(title: string): boolean {
  return withoutNumber(title) !== title.trim()
}

/** “Chapter” with a number, or a number alone. */
export function isChapterTitle(text: string): boolean {
  return (
    isNumber(text) ||
    /^(chapter|kapitel|chapitre|cap[íi]tulo|capitolo|глава|κεφάλαιο|第.+[章回夜])\s*\S/iu.test(text)
  )
}

/** What programs call a piece that has no title. */
export function isGeneric(title: string): boolean {
  return /^(start|begin(ning)?|section|untitled|unnamed|document|page|text|body|html|index|main|content|part|split|chapter)?[\s_-]*\d*(\.x?html?)?$/i.test(
    title.replace(/^(chapter|part)\s+\d+$/i, 'x'),
  )
}

export function isSameTitle(one: string, other: string): boolean {
  const isEqual = letters(one) === letters(other)
  const [bare, otherBare] = [letters(withoutNumber(one)), letters(withoutNumber(other))]
  return isEqual || (bare !== '' && bare === otherBare)
}

export function joinTitles(titles: string[]): string {
  return titles.reduce(
    (all, title) =>
      all === '' ? title : /^(\d+|[ivxlc]+)$/i.test(all) ? `${all}. ${title}` : `${all}: ${title}`,
    '',
  )
}

/** A character of Chinese or Japanese says what several letters do. */
export function weightOf(text: string): number {
  const han = text.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/gu)?.length ?? 0
  return text.length + 2 * han
}
