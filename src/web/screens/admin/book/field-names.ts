// The names of the book's fields as the form shows them, for notices about fields that may be out of sight.
import type { FieldProblems } from '#contract/field-problems.ts'
import { partNames } from './changes.ts'

const names: Record<string, string> = {
  'author.name': 'Name of the author',
  'author.email': 'Email of the author',
  'preview.chapters': 'Preview',
  'rating.source': 'Source of the rating',
  'contact.direct.title': 'Contact, title',
  'contact.speaking.title': 'Speaking, title',
  'closing.title': 'Closing, title',
  'invitation.title': 'Invitation, title',
}

const maxNamed = 3

/** `path` as problems name fields: `preview.chapters.0.title` is "Preview 1, title". */
export function fieldName(path: string): string {
  if (names[path]) return names[path]
  const [part = '', ...rest] = path.split('.')
  const known: Record<string, string> = partNames
  const place = rest.find((word) => /^\d+$/.test(word))
  const last = rest.at(-1)
  const field = last && last !== place ? `, ${last.replaceAll('_', ' ')}` : ''
  return (known[part] ?? part) + (place ? ` ${Number(place) + 1}` : '') + field
}

export function describeProblems(problems: FieldProblems): string {
  const paths = Object.keys(problems)
  const named = paths.slice(0, maxNamed).map(fieldName)
  const rest = paths.length - named.length
  return `Please correct: ${named.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}.`
}
