// What a person reads of each book in this folder. It is written from the sources, not from what the shop reads.

export type Expected = {
  title: string
  subtitle?: string
  authors: string[]
  language: string
  description?: string
  hasCover?: true
  /** “front”, “part”, “body” or “back”, and the title. */
  chapters: string[]
  /** The beginning of the first chapter that is offered as the preview. */
  begins: string | null
}

const kinds = (kind: string, titles: string[]) => titles.map((title) => `${kind}: ${title}`)
const body = (...titles: string[]) => kinds('body', titles)
const numbered = (titles: string[], label: (number: number) => string) =>
  titles.map((title, at) => `${label(at + 1)}${title}`)

const ruthTitles = ['In the Land of Moab', 'In the Field of Boaz', 'On the Threshing Floor', 'At the Gate']
const ruth = {
  title: 'Ruth',
  authors: ['Samuel'],
  language: 'en',
  begins: 'Now it came to pass in the days when the judges ruled',
}
const ruthDescription =
  'The story of Ruth the Moabitess, in the words of the King James Version.'
const withMatter = (before: string[], titles: string[], after: string[] = []) => [
  ...kinds('front', [...before, 'Preface']),
  ...body(...titles),
  ...kinds('back', ['About This Edition', ...after]),
]

const deuteronomy = `Go Up and Possess|Through the Desert|From the Mount|Hear, O Israel|The Covenant in Horeb
The LORD Our God Is One|A Chosen People|Not by Bread Alone|The Tables of Stone|What Doth the LORD Require
Blessing and Curse|The Place Which He Shall Choose|Of False Prophets|Clean and Unclean|The Year of Release
Three Times in a Year|Of Kings and Judges|A Prophet Like unto Me|Cities of Refuge|When Thou Goest Out to Battle
The Heifer in the Valley|Thy Brother’s Ox|A Refuge for the Servant|The Sheaf Left in the Field
A Perfect and Just Weight|The Basket of Firstfruits|Stones upon Ebal|Set on High above All Nations
The Secret Things|Choose Life|Be Strong and of a Good Courage|The Song of Moses|The Blessing of the Tribes
The Death of Moses`.split(/[|\n]/)
const words = {
  title: 'Words beyond Jordan',
  authors: ['Moses'],
  language: 'en',
  begins: 'These be the words which Moses spake',
}

const psalmy = {
  title: 'Псалмы пути',
  authors: ['Синодальный перевод'],
  language: 'ru',
  begins: 'Блажен муж, который не ходит',
}
const psalmyChapters = [
  'part: Начало дороги',
  ...body('Два пути', 'Пастырь'),
  'part: Дом',
  ...body('Под кровом', 'Хвала'),
]

const greek = { title: 'Ἐν ἀρχῇ', authors: ['Ἰωάννης'], language: 'el', begins: 'Ἐν ἀρχῇ ἦν ὁ Λόγος' }
const greekChapters = ['front: Πρόλογος', ...body('Ὁ Λόγος', 'Οἱ μακαρισμοί', 'Ἡ ἀγάπη')]
const arabic = { title: 'في البدء', authors: ['ترجمة فان دايك'], language: 'ar', begins: 'في البدء خلق الله' }
const arabicChapters = body('التكوين', 'المزمور الثالث والعشرون', 'إنجيل يوحنا')
const fables = { title: 'Trois fables', language: 'fr', begins: 'La Cigale, ayant chanté tout l’été' }
const fablesChapters = body('La Cigale et la Fourmi', 'Le Corbeau et le Renard', 'Le Loup et l’Agneau')
const mount = { title: 'The Mount', authors: ['Matthew'], begins: 'Blessed are the poor in spirit' }
const yume = { title: '夢十夜', authors: ['夏目漱石'], language: 'ja' }

export const expected: Record<string, Expected> = {
  'songs-of-the-road.epub': {
    title: 'Songs of the Road',
    subtitle: 'Five Psalms for Travellers',
    authors: ['David and others'],
    language: 'en-GB',
    description:
      'Five of the fifteen songs that pilgrims sang on their way to Jerusalem, in the words of the King James Version.',
    hasCover: true,
    chapters: [
      ...kinds('front', ['Songs of the Road: Five Psalms for Travellers', 'Preface', 'Copyright']),
      ...body('The Keeper', 'The City', 'The Escape', 'The Harvest', 'The House'),
    ],
    begins: '## Psalm 121\n\nI will lift up mine eyes',
  },
  'letter-to-the-philippians.epub': {
    title: 'The Letter to the Philippians',
    subtitle: 'Joy in Bonds',
    authors: ['Paul the Apostle', 'Timothy'],
    language: 'en',
    description: 'Written from prison, and full of joy.\n\nIn the words of the King James Version.',
    chapters: [
      'front: Dedication',
      ...body(
        ...numbered(['Joy in Bonds', 'One Mind', 'The Prize', 'Rejoice Alway'], (n) => `Chapter ${n} `),
      ),
    ],
    begins: '1 Paul and Timotheus',
  },
  'v-nachale.epub': {
    title: 'В начале',
    authors: ['Синодальный перевод'],
    language: 'ru',
    chapters: body('Бытие', 'Псалом 22', 'От Иоанна'),
    begins: 'В начале сотворил Бог',
  },
  'pandoc-ruth.epub': {
    ...ruth,
    description: ruthDescription,
    chapters: withMatter(['Ruth'], numbered(ruthTitles, (n) => `${n} `)),
  },
  'pandoc-psalmy.epub': { ...psalmy, chapters: ['front: Псалмы пути', ...psalmyChapters] },
  'pandoc-words-beyond-jordan.epub': {
    ...words,
    description:
      'Thirty-four short readings, one from each chapter. The words are those of the King James Version.',
    chapters: ['front: Words beyond Jordan', ...body(...deuteronomy)],
  },
  'calibre-ruth-zh.epub': {
    title: '路得記',
    authors: ['和合本'],
    language: 'zh',
    hasCover: true,
    chapters: ['front: 路得記', ...body('第一章 摩押地', '第二章 波阿斯的田', '第三章 禾場', '第四章 城門')],
    begins: '當士師秉政的時候',
  },
  // The program that made it was told neither title nor author: it took the file's name.
  'calibre-fables.epub': { ...fables, title: 'fables', authors: [], chapters: fablesChapters },
  'calibre-ruth-docx.epub': {
    ...ruth,
    authors: ['Samuel Prophet'],
    description: ruthDescription,
    chapters: withMatter([''], ruthTitles, ['Notes']),
  },
  'calibre-en-archi-fb2.epub': { ...greek, chapters: ['front: ', 'front: Ἐν ἀρχῇ', ...greekChapters] },
  'sphinx-ruth.epub': { ...ruth, chapters: withMatter(['Ruth'], ruthTitles, ['Index']) },
  'sphinx-psalmy.epub': {
    ...psalmy,
    chapters: ['front: Псалмы пути', ...psalmyChapters, 'back: Алфавитный указатель'],
  },
  'libreoffice-en-archi.epub': { ...greek, chapters: ['front: ', ...greekChapters] },
  'libreoffice-bidaya.epub': { ...arabic, chapters: ['front: ', ...arabicChapters] },
  'docbook-the-mount.epub': {
    ...mount,
    authors: ['Matthew the Publican'],
    language: 'en',
    chapters: [
      ...kinds('front', ['The Mount', 'The Mount', 'Preface']),
      'part: I. The Hearer',
      ...body('1. Blessed', '2. Salt and Light'),
      'part: II. The Heart',
      ...body('3. In Secret', '4. Treasures'),
      'part: III. The Way',
      ...body('5. Ask, Seek, Knock', '6. Two Houses'),
      ...kinds('back', ['A. The Places', 'Colophon']),
    ],
  },
  'docbook-psalmy.epub': { ...psalmy, chapters: ['front: Псалмы пути', ...psalmyChapters] },
  'asciidoctor-words-beyond-jordan.epub': {
    ...words,
    chapters: [
      ...kinds('front', ['Words beyond Jordan', 'Words beyond Jordan']),
      ...body(...numbered(deuteronomy, (n) => `${n}. `)),
    ],
  },
  'asciidoc-ruth.epub': {
    ...ruth,
    subtitle: 'A Gleaner’s Story',
    chapters: withMatter(['Ruth: A Gleaner’s Story'], numbered(ruthTitles, (n) => `${n}. `)),
  },
  'latexml-ruth.epub': { ...ruth, chapters: withMatter(['Ruth'], numbered(ruthTitles, (n) => `${n} `)) },
  'ebooklib-bidaya.epub': { ...arabic, chapters: arabicChapters },
  'abw2epub-fables.epub': {
    ...fables,
    authors: ['Jean de La Fontaine'],
    chapters: ['front: Trois fables', ...fablesChapters],
  },
  'ebook2epub-ruth.epub': { ...ruth, chapters: withMatter(['Ruth'], ruthTitles) },
  'epub-gen-memory-john-zh.epub': {
    title: '太初有道：約翰福音選讀',
    authors: ['約翰'],
    language: 'zh-TW',
    chapters: ['front: 目錄', ...body('太初', '尼哥底母', '好牧人')],
    begins: '太初有道，道與神同在',
  },
  'html-to-epub-fables.epub': {
    ...fables,
    authors: ['Jean de La Fontaine'],
    hasCover: true,
    chapters: ['front: Table', ...fablesChapters],
  },
  'nodepub-ruth.epub': {
    ...ruth,
    hasCover: true,
    chapters: withMatter(['Copyright', 'Contents'], ruthTitles),
  },
  'percollate-the-mount.epub': {
    ...mount,
    language: 'en-US',
    hasCover: true,
    chapters: [
      'front: The Mount',
      'part: The Hearer',
      ...body('Blessed', 'Salt and Light'),
      'part: The Heart',
      ...body('In Secret', 'Treasures'),
      'part: The Way',
      ...body('Ask, Seek, Knock', 'Two Houses'),
    ],
  },
  'vivliostyle-yume-juya.epub': {
    ...yume,
    chapters: ['front: 夢十夜', ...body('第一夜', '第二夜', '第三夜')],
    begins: 'こんな夢を見た。',
  },
  'honkit-ruth.epub': { ...ruth, hasCover: true, chapters: withMatter(['Table of Contents'], ruthTitles) },
  'hand-made-psalmy.epub': {
    title: 'Три псалма',
    authors: [],
    language: 'ru',
    hasCover: true,
    chapters: [
      ...kinds('front', ['', 'Об этой книге']),
      ...body('Два пути', 'Пастырь', 'Под кровом'),
      'back: Примечания',
    ],
    begins: psalmy.begins,
  },
}
