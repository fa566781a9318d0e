// Looks into an EPUB as a reading system does, and tells what its readers would stumble over. Nothing is unpacked to disk.
import {
  Finding,
  isElsewhere,
  isProtected,
  placeOf,
  readPackage,
  type PackageDocument,
} from './package-document.ts'
import { quoted, Refused } from './refused.ts'
import { withArchive, type Archive } from './zip.ts'

/** Findings in plain words. Throws a refusal for what is no readable archive, or exceeds a limit. */
export async function readEpub(path: string): Promise<string[]> {
  try {
    return await openEpub(path, look)
  } catch (error) {
    if (error instanceof Finding) return [error.message]
    throw error
  }
}

/** Throws what `look` throws of its own, and a refusal for what is no readable archive, or exceeds a limit. */
export async function openEpub<Result>(
  path: string,
  look: (archive: Archive) => Promise<Result>,
): Promise<Result> {
  try {
    return await withArchive(path, look)
  } catch (error) {
    if (error instanceof Finding || error instanceof Refused || isOfTheDisk(error)) throw error
    throw new Refused('uploads.not_an_ebook', 'This EPUB is damaged: it could not be opened.')
  }
}

function isOfTheDisk(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}

async function look(archive: Archive): Promise<string[]> {
  const { entries, doubled } = archive
  const findings: string[] = []
  if (await isProtected(archive))
    findings.push(
      'The EPUB is copy-protected or locked with a password: your readers could not open it. Upload one without protection.',
    )
  if (doubled !== undefined)
    findings.push(
      `The EPUB holds two files with the name ${quoted(doubled)}: devices differ in which they show.`,
    )
  return [...findings, ...compare(await readPackage(archive), entries)]
}

function compare({ folder, elements, items, spine }: PackageDocument, entries: Archive['entries']): string[] {
  const findings: string[] = []
  if (spine.length === 0) findings.push('The EPUB has no reading order (spine): readers will show nothing.')
  const lost = spine.filter(({ id }) => !items.has(id)).length
  if (lost > 0)
    findings.push(`${lost} of the chapters in the EPUB’s reading order are not in its list of files.`)
  const missing = [...items.values()].filter(
    ({ href }) => !isElsewhere(href) && !entries.has(placeOf(href, folder)),
  )
  const [first] = missing
  if (first !== undefined)
    findings.push(
      `${missing.length} of the EPUB’s files are missing, the first of them ${quoted(first.href)}.`,
    )
  if (!elements.some(({ tagName }) => tagName === 'title'))
    findings.push('The EPUB has no title: reading apps list it without a name.')
  return findings
}
