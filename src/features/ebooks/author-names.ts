// Authors' names as a person writes them, of what programs and catalogues write.
import { meaningful } from './placeholders.ts'

const maxAuthors = 20

/** `role` and `fileAs` as EPUB has them. */
type Creator = { text: string; role?: string | undefined; fileAs?: string | undefined }

export function namesOf(creators: Creator[]): string[] {
  const writers = creators.filter(({ role }) => role === undefined || /^aut|^author/i.test(role))
  const names = (all: Creator[]) => all.flatMap(({ text, fileAs }) => splitNames(text, fileAs))
  const found = names(writers)
  return [...new Set(found.length > 0 ? found : names(creators))].slice(0, maxAuthors)
}

function splitNames(text: string, fileAs?: string): string[] {
  return withoutAddress(text)
    .split(/\s*[;；、]\s*|\s+\/\s+/)
    .flatMap((each) => inOrder(each, fileAs))
    .map((name) => name.replace(/^by:?\s+/i, '').trim())
    .filter((name) => meaningful(name) !== undefined)
}

function withoutAddress(text: string): string {
  const left = text
    .replaceAll(/<[^<>]*@[^<>]*>|[([]\s*(mailto:)?[^\s()[\]]+@[^\s()[\]]+\s*[)\]]/g, '')
    .replaceAll(/<?(mailto:)?[^\s<>;,]+@[^\s<>;,]+\.[^\s<>;,]+>?/g, '')
    .trim()
  return left.replaceAll(/^[\s,;]+|[\s,;]+$/g, '')
}

const suffixes = /^(jr|sr|[ivx]{1,4}|ph\.? ?d|m\.?d|m\.?a|b\.?a|esq|dds|phd|inc|ltd|llc|gmbh)\.?$/i
const particles =
  /^(d[aeiou]|del|della|des|du|d’|d'|la|le|van|von|der|den|ten|ter|st\.?|saint|mac|o’|al|el|bin|ibn|ben|zu|zum)$/i

/** “Lastname, Firstname” is turned; “Name Name, Name Name” are two; “Name, Jr.” is one. */
function inOrder(text: string, fileAs?: string): string[] {
  const pieces = text.split(/\s*,\s*/).filter(Boolean)
  const [last = '', first = '', third] = pieces
  if (pieces.length < 2) return [text]
  if (third !== undefined && suffixes.test(third) && pieces.length === 3) return [`${first} ${last} ${third}`]
  if (suffixes.test(first)) return pieces.length === 2 ? [`${last}, ${first}`] : [text]
  const wordsOf = (name: string) => name.split(/\s+/).filter((word) => !particles.test(word))
  const isFamilyName = wordsOf(last).length === 1 || fileAs?.startsWith(`${last},`)
  if (pieces.length === 2 && isFamilyName && first.split(/\s+/).length <= 4) return [`${first} ${last}`]
  const areWhole = pieces.every((name) => wordsOf(name).length >= 2)
  return areWhole ? pieces : [text]
}
