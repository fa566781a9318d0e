// Finds the file of an EPUB that an address in it means.
import { posix } from 'node:path'
import type { Archive } from './zip.ts'

export function isElsewhere(href: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(href)
}

/** The name of the file that is meant: names may differ by percent signs, by case, or by the folder. */
export function placeOf({ entries }: Pick<Archive, 'entries'>, href: string, folder: string): string {
  const [path = ''] = href.split(/[#?]/, 1)
  const plain = posix.join(folder, path.replaceAll('\\', '/'))
  const place = posix.join(folder, decoded(path).replaceAll('\\', '/'))
  const named = [place, plain].find((each) => entries.has(each))
  if (named !== undefined) return named
  const { folded, alone } = indexOf(entries)
  return folded.get(fold(place)) ?? alone.get(fold(posix.basename(place))) ?? place
}

/** True where the file has a name that differs. */
export function isMisnamed({ entries }: Pick<Archive, 'entries'>, href: string, folder: string): boolean {
  const [path = ''] = href.split(/[#?]/, 1)
  return !entries.has(posix.join(folder, decoded(path)))
}

const fold = (name: string) => decoded(name).normalize('NFC').toLowerCase()

type Index = { folded: Map<string, string>; alone: Map<string, string> }

const indexes = new WeakMap<Archive['entries'], Index>()

function indexOf(entries: Archive['entries']): Index {
  const known = indexes.get(entries)
  if (known) return known
  const [folded, alone, shared] = [new Map<string, string>(), new Map<string, string>(), new Set<string>()]
  for (const name of entries.keys()) {
    if (name.endsWith('/') || name.startsWith('META-INF/') || name.startsWith('__MACOSX/')) continue
    folded.set(fold(name), name)
    const base = fold(posix.basename(name))
    if (alone.has(base)) shared.add(base)
    alone.set(base, name)
  }
  // Several files with one name in different folders mean none of them.
  for (const base of shared) alone.delete(base)
  const index = { folded, alone }
  indexes.set(entries, index)
  return index
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
