// Titles as contents and headings have them: with the number before them, or without.

export function letters(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/** A letter alone may be a word, such as “I”. */
const numeral = String.raw`(\d+(\.\d+)*|[ivxlcdm]{2,}|[ivx](?!\s*\p{L})|[a-z](?=[.):]))`
const numberWords = [
  'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty',
  'first second third fourth fifth sixth seventh eighth ninth tenth',
  'eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf',
  'premier première deux deuxième trois troisième quatre quatrième cinq cinquième six sixième sept septième huit huitième neuf neuvième dix dixième',
  'primero primera uno dos segundo segunda tres tercero tercera cuatro cuarto cinco quinto seis sexto siete séptimo ocho octavo nueve noveno diez décimo',
  'primo prima due secondo terzo quattro quarto cinque sei sesto sette settimo otto ottavo nove nono dieci decimo primeiro terceiro sétimo oitavo',
  'seconda terza quarta quinta sesta settima ottava nona decima primeira terceira sexta sétima oitava',
  'pierwsza pierwszy druga drugi trzecia trzeci czwarta czwarty piąta piąty szósta szósty siódma siódmy ósma ósmy dziewiąta dziesiąta',
  'первая вторая третья четвёртая четвертая пятая шестая седьмая восьмая девятая десятая одиннадцатая двенадцатая',
  'πρώτο δεύτερο τρίτο τέταρτο πέμπτο έκτο έβδομο όγδοο ένατο δέκατο الأول الثاني الثالث الرابع الخامس السادس السابع الثامن التاسع العاشر',
].flatMap((words) => words.split(' '))
export const numberWord = String.raw`(?:${numberWords.join('|')})(?![\p{L}\p{N}])`
export const ordinal =
  'erste[rs]?|zweite[rs]?|dritte[rs]?|vierte[rs]?|fünfte[rs]?|sechste[rs]?|siebte[rs]?|siebente[rs]?|achte[rs]?|neunte[rs]?|zehnte[rs]?|elfte[rs]?|zwölfte[rs]?'
const label =
  'chapter|part|book|section|appendix|canto|letter|kapitel|teil|anhang|chapitre|partie|annexe|appendice|capítulo|capitulo|apéndice|apêndice|capitolo|parte|hoofdstuk|deel|bijlage|rozdział|kapitola|kapittel|bilaga|bölüm|fejezet|capitol|capitolul|глава|часть|приложение|розділ|κεφάλαιο|μέρος|παράρτημα|الفصل|الجزء|ملحق|פרק|חלק|נספח|부록|付録|附录|附錄'
const han = '[一二三四五六七八九十百千〇零\\d０-９]+'

/** “Chapter 3.”, “3.”, “III”, “Erstes Kapitel”, “第三章”, “제3장” before a title. */
const numbering = new RegExp(
  String.raw`^\s*(?:(?:${label})\s*(?:${numeral}|${numberWord}(?:-${numberWord})?)(?![\p{L}\p{N}])|(?:the|${ordinal})\s+(?:${numberWord}\s+)?(?:${label})(?![\p{L}\p{N}])|${numberWord}\s+(?:${label})(?![\p{L}\p{N}])|${numeral}(?=[.:)\s—–-]|$)|第\s*${han}\s*[章回話话節节部篇編编夜幕卷巻]|제?\s*\d+\s*[장부편권화절](?![\p{L}\p{N}]))[\s.:)—–-]*`,
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
  return isNumber(text) || isLabelled(text)
}

/** “Chapter” with a number. */
export function isLabelled(text: string): boolean {
  return (
    isNumbered(text) &&
    /^(chapter|kapitel|chapitre|cap[íi]tulo|capitolo|глава|κεφάλαιο|第.+[章回夜])\s*\S/iu.test(text)
  )
}

/** What programs call a piece that has no title. */
export function isGeneric(title: string): boolean {
  return /^(start( reading)?|begin(ning)?( reading)?|commencer la lecture|lesebeginn|comenzar a leer|inizia a leggere|section|untitled|unnamed|document|page|text|body|html|index|main|content|part|split|chapter)?[\s_-]*\d*(\.x?html?)?$/i.test(
    title.replace(/^(chapter|part)\s+\d+$/i, 'x'),
  )
}

const maxTitle = 600

export function isSameTitle(one: string, other: string): boolean {
  if (one.length > maxTitle || other.length > maxTitle) return false
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
