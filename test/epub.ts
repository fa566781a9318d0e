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
