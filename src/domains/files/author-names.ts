// Authors' names as a person writes them, of what programs and catalogues write.
import { meaningful } from './placeholders.ts'

const maxAuthors = 20

/** `role` and `fileAs` as EPUB has them. */
type Creator = { text: string; role?: string | undefined; fileAs?: string | undefined }

export function namesOf(creators: Creator[]): string[] {
  const isWriter = ({ text, role }: Creator) =>
    (role === undefined || /(^|\/)aut/i.test(role)) && !otherRole.test(text)
  const writers = creators.filter(isWriter)
  const names = (all: Creator[]) => all.flatMap(({ text, fileAs }) => splitNames(text, fileAs))
  const found = names(writers)
  return [...new Set(found.length > 0 ? found : names(creators))].slice(0, maxAuthors)
}

/** Behind a name: “(Illustrator)”, “, translator”, “[Übersetzer]”; or before it: “Illustrated by”. */
const otherRole =
  /[([,]\s*(illustrat|translat|editor|ed\.|narrat|foreword|photograph|übersetz|herausgeb|hrsg|illustrierte|traduct|illustrateur|traduttore|tłumacz|ilustrator)[^,;]*$|^(illustrated|translated|edited|narrated|foreword|cover) by\s/iu

function splitNames(text: string, fileAs?: string): string[] {
  return withoutAddress(text)
    .split(/\s*[;；、，|]\s*|\s+\/\s+/)
    .flatMap(splitList)
    .flatMap((each) => inOrder(each, fileAs))
    .map((name) =>
      name
        .replace(/^((written )?by:?)\s+/i, '')
        .replace(/[\s[(]*(著|\bauthor)[\])]?$/iu, '')
        .trim(),
    )
    .filter((name) => meaningful(name) !== undefined)
}

const conjunction = /,?\s+(?:and|und|et|y|e|i|en|och|og|и|та|και|&|\+)\s+/u
/** Between single names these are a part of one: “Ortega y Gasset”. */
const isWithinName = (text: string) => /\s(y|e|i|en)\s/.test(text)
const notName =
  /^(others|al\.?|co\.?|company|sons|friends|family|team|staff|andere|autres|otros|altri)$|\b(of|for)\b/i

/** “Anna Smith and Ben Doe” are two, also behind commas; “Smith and Sons” and “Ann and Ben Smith” are one. */
function splitList(text: string): string[] {
  const pieces = text.split(conjunction)
  if (pieces.length < 2 || pieces.some((piece) => notName.test(piece))) return [text]
  if (pieces.every((piece) => piece.includes(','))) return pieces
  const isOneWord = (piece: string) => /^\S+$/.test(piece)
  const all = pieces.flatMap((piece) => piece.split(/\s*,\s*/))
  if (all.every(isOneWord)) return isWithinName(text) ? [text] : all
  return pieces.some(isOneWord) ? [text] : pieces
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
  if (pieces.length < 2 || conjunction.test(text)) return [text]
  if (third !== undefined && suffixes.test(third) && pieces.length === 3) return [`${first} ${last} ${third}`]
  if (suffixes.test(first)) return pieces.length === 2 ? [`${last}, ${first}`] : [text]
  const wordsOf = (name: string) => name.split(/\s+/).filter((word) => !particles.test(word))
  const isFamilyName =
    wordsOf(last).length === 1 || wordsOf(first).length === 1 || fileAs?.startsWith(`${last},`)
  if (pieces.length === 2 && isFamilyName && first.split(/\s+/).length <= 4) return [`${first} ${last}`]
  const areWhole = pieces.every((name) => wordsOf(name).length >= 2)
  return areWhole ? pieces : arePairs(pieces) ? pairsOf(pieces) : [text]
}

const initials = /^(\p{Lu}\.?[\s-]?){1,3}$/u

/** “Lastname, F., Lastname, F.” */
function arePairs(pieces: string[]): boolean {
  return pieces.length % 2 === 0 && pieces.every((piece, at) => at % 2 === 0 || initials.test(piece))
}

function pairsOf(pieces: string[]): string[] {
  return pieces.flatMap((piece, at) => (at % 2 === 0 ? [`${pieces[at + 1]} ${piece}`] : []))
}
