// Recognizes what an uploaded file is that is no ebook, and says what its author can do.
import { notAnEbook, hasAt, readBytes, type Refused } from './refused.ts'
import type { FileHandle } from 'node:fs/promises'
import type { Archive } from './zip.ts'

const inWriter =
  'Please open it in LibreOffice Writer, choose File → Export As → Export as EPUB, and upload the new file. Google Docs can do the same under File → Download.'
const inItsProgram =
  'Please export the book as EPUB from the program it was written in, and upload that file.'

const documents = {
  word: ['a Word document', inWriter],
  openDocument: ['a text of LibreOffice or OpenOffice (ODT)', inWriter],
  rtf: ['a text in Rich Text Format (RTF)', inWriter],
  pages: [
    'a document of Apple Pages',
    'Please open it in Pages, choose File → Export To → EPUB, and upload the new file.',
  ],
  kindle: [
    'a Kindle book (AZW3 or KFX), which opens on Kindles only',
    'Please upload the EPUB that it was made from, or a MOBI.',
  ],
  page: ['a web page (HTML)', inItsProgram],
  text: ['plain text', inItsProgram],
  picture: [
    'a picture',
    'Please upload the book itself. A cover has its own place, and one inside the book is found.',
  ],
  fictionBook: [
    'a FictionBook (FB2)',
    'Please convert it to EPUB, for example with calibre, and upload that.',
  ],
  office: ['a table or a presentation', 'Please upload the book itself, as an EPUB or a PDF.'],
  archive: [
    'an archive (ZIP, RAR or 7z) that holds no EPUB',
    'If the book lies inside it, please unpack it and upload the book itself.',
  ],
  packedBook: ['an archive with a book inside', 'Please unpack it and upload the book itself.'],
} as const

type Kind = keyof typeof documents

export function refuseAs(kind: Kind): Refused {
  const [is, advice] = documents[kind]
  return notAnEbook(`This is ${is}, not an ebook. ${advice}`)
}

export async function kindOfArchive({ entries, read }: Archive): Promise<Kind> {
  const names = [...entries.keys()]
  const has = (pattern: RegExp) => names.some((name) => pattern.test(name))
  const type = entries.get('mimetype')
  if (has(/^word\//)) return 'word'
  if (has(/^(xl|ppt)\//)) return 'office'
  if (has(/^Index\/Document\.iwa$|^Index\.zip$|^index\.apxl$|^index\.xml$/)) return 'pages'
  if (type && (await read(type, 1024)).includes('opendocument')) return 'openDocument'
  return has(/\.(epub|pdf|mobi)$/i) ? 'packedBook' : 'archive'
}

/** The first bytes of each kind; `DRMION` begins a part of a KFX, and `TPZ` a Topaz book. */
const signatures: [Kind, string[]][] = [
  ['rtf', ['{\\rtf']],
  ['word', ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1']],
  ['kindle', ['CONT\x02', '\xeaDRMION\xee', 'TPZ']],
  ['picture', ['\xff\xd8\xff', '\x89PNG', 'GIF8', 'RIFF', 'II*\0', 'MM\0*', 'BM', '8BPS']],
  ['archive', ['Rar!', '7z\xbc\xaf', '\x1f\x8b']],
]

export async function kindOfFile(file: FileHandle): Promise<Kind | undefined> {
  const head = await readBytes(file, 0, 4096)
  const match = signatures.find(([, starts]) => starts.some((start) => hasAt(head, 0, start)))
  if (match) return match[0]
  const text = head.toString('utf8').replace(/^\uFEFF/, '')
  if (/^\s*(<\?xml[^>]*>\s*)?<FictionBook/i.test(text)) return 'fictionBook'
  if (/^\s*(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)?<(!doctype html|html|head|body)\b/is.test(text)) return 'page'
  // The last character may be cut.
  const isText = text.trim() !== '' && !text.includes('\0') && !text.slice(0, -2).includes('\uFFFD')
  return isText ? 'text' : undefined
}
