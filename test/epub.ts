// EPUBs for tests: a sound one, and what is changed in it.
import { strToU8, zipSync, type Zippable } from 'fflate'

export const container =
  '<?xml version="1.0"?><container><rootfiles><rootfile full-path="O/b.opf"/></rootfiles></container>'
export const packageDocument = `<?xml version="1.0"?>
<package><metadata><dc:title>B</dc:title></metadata>
<manifest><item id="a" href="a.xhtml"/></manifest><spine><itemref idref="a"/></spine></package>`

/** `files` are added to a sound book, or take the place of what it has; undefined leaves one out. */
export function makeEpub(
  files: Record<string, string | Uint8Array | undefined> = {},
  { level = 9 }: { level?: 0 | 9 } = {},
): Buffer {
  const all = {
    'META-INF/container.xml': container,
    'O/b.opf': packageDocument,
    'O/a.xhtml': '<html/>',
    ...files,
  }
  const zip: Zippable = { mimetype: [strToU8('application/epub+zip'), { level: 0 }] }
  for (const [name, content] of Object.entries(all))
    if (content !== undefined) zip[name] = typeof content === 'string' ? strToU8(content) : content
  return Buffer.from(zipSync(zip, { level }))
}

type BookParts = {
  metadata?: string
  /** The lists inside EPUB 3's navigation document, and inside EPUB 2's. */
  nav?: string
  ncx?: string
  guide?: string
  files?: Record<string, string | Uint8Array | undefined>
}

/** An EPUB of these pages, in their order. */
export function makeBook(
  pages: Record<string, string | Uint8Array>,
  { metadata = '<dc:title>The Sons</dc:title>', nav, ncx, guide = '', files = {} }: BookParts = {},
): Buffer {
  const names = Object.keys(pages)
  const items = names.map((name) => `<item id="${name}" href="${name}" media-type="application/xhtml+xml"/>`)
  if (nav !== undefined)
    items.push(`<item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>`)
  if (ncx !== undefined) items.push(`<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>`)
  const spine = names.map((name) => `<itemref idref="${name}"/>`).join('')
  const contents = names.map((name) => {
    const page = pages[name] ?? ''
    return [`O/${name}`, typeof page === 'string' ? pageOf(page) : page] as const
  })
  return makeEpub({
    'O/a.xhtml': undefined,
    'O/b.opf': `<package><metadata>${metadata}</metadata><manifest>${items.join('')}</manifest><spine>${spine}</spine><guide>${guide}</guide></package>`,
    ...(nav !== undefined && { 'O/nav.xhtml': pageOf(nav) }),
    ...(ncx !== undefined && { 'O/toc.ncx': `<ncx><navMap>${ncx}</navMap></ncx>` }),
    ...Object.fromEntries(contents),
    ...files,
  })
}

function pageOf(body: string): string {
  return body.startsWith('<html')
    ? body
    : `<html xmlns="http://www.w3.org/1999/xhtml"><body>${body}</body></html>`
}

/** An entry of `ncx`. */
export const navPoint = (title: string, src: string, nested = '') =>
  `<navPoint><navLabel><text>${title}</text></navLabel><content src="${src}"/>${nested}</navPoint>`
