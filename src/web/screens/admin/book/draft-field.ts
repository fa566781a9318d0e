// Examples in grey for the empty fields of the book's form. No page shows them, and each says that it is one.
import type { BookDocument } from '#contract/book/book.ts'
import type { FieldProblems } from '#contract/field-problems.ts'
import type { Change } from './use-draft.ts'

const examples: Partial<Record<string, string>> = {
  subtitle: 'A short history of the lighthouse',
  description: 'Two or three sentences: what the book is about, and for whom.',
  'author.biography': 'Where you live, what you do, and how you came to write this book.',
  'rating.source': '212 ratings on Goodreads',
  'words.*.word': 'The harbour',
  'words.*.line': 'One sentence on this chapter.',
  'blueprint.title': 'How this book is built',
  'blueprint.lead': 'One sentence that stands large.',
  'blueprint.text': 'What belongs together in the book, and why in this order.',
  'blueprint.parts.*.title': 'Part one',
  'blueprint.parts.*.line': 'One sentence on this part.',
  'preview.chapters.*.title': 'Chapter one',
  'preview.after': 'Eleven more chapters follow',
  'invitation.title': 'A personal invitation',
  'invitation.text': 'A few words to somebody who has never heard of the book.',
  'text.title': 'Why I wrote this book',
  'text.text': 'Whatever else you want to say.',
  'quotes.*.text': 'What somebody really wrote about the book',
  'quotes.*.by': 'Name, newspaper or site',
  'quotes.*.permission': 'By email, 3 May',
  'questions.*.question': 'Can I read it on a Kindle?',
  'questions.*.answer': 'Yes: the download includes an EPUB, which a Kindle accepts.',
  'claims.refund': '{days}-day money-back guarantee',
  'claims.ships': 'Free shipping for physical items',
  'claims.pdf': 'Instant download and PDF for digital',
  'claims.no_pdf': 'Instant download for digital',
  'claims.digital': 'Yours for good',
  'claims.bonus': 'A bonus with the bundle',
  'contact.lead': 'A question or a correction? I like to hear from readers.',
  'contact.direct.title': 'Write directly',
  'contact.direct.line': 'Whom a message reaches, and how.',
  'contact.reply_time': 'a week',
  'contact.speaking.title': 'Invite me to speak',
  'contact.speaking.line': 'Where you speak, about what, and what you need to know.',
  'contact.speaking.subject': 'An invitation to speak',
  'closing.title': 'The last words of your page',
  'closing.line': 'One more sentence beneath them.',
  'packing_slip.thanks': 'Thank you for your order.',
  'packing_slip.questions': 'Something is not right with your order? Please write to us.',
}

/** `path` as in `questions.0.answer`. */
function exampleOf(path: string): string | undefined {
  const example = examples[path.replaceAll(/\.\d+(?=\.)/g, '.*')]
  return example && `For example: ${example}`
}

/** Where a text stands in the book: `author.name`, `questions.0.answer`. Problems of fields have the same names. */
type TextPath<Value, Before extends string = ''> = Value extends readonly (infer Item)[]
  ? TextPath<Item, `${Before}${number}.`>
  : {
      [Name in keyof Value & string]: Value[Name] extends string
        ? `${Before}${Name}`
        : Value[Name] extends object | null
          ? TextPath<NonNullable<Value[Name]>, `${Before}${Name}.`>
          : never
    }[keyof Value & string]

export type DraftField = (path: TextPath<BookDocument>) => {
  value: string
  problem: string | undefined
  /** Shown in the empty field alone, never on a page. */
  placeholder: string | undefined
  onChange: (value: string) => void
}

type DraftValues = { document: BookDocument; problems: FieldProblems; change: Change }

export function draftFields({ document, problems, change }: DraftValues): DraftField {
  return (path) => {
    const name = path.slice(path.lastIndexOf('.') + 1)
    const text = findHolder(document, path)?.[name]
    return {
      value: typeof text === 'string' ? text : '',
      problem: problems[path],
      placeholder: exampleOf(path),
      onChange: (value) =>
        change((draft) => {
          const holder = findHolder(draft, path)
          if (holder) holder[name] = value
        }),
    }
  }
}

function findHolder(document: unknown, path: string): Record<string, unknown> | undefined {
  const names = path.split('.').slice(0, -1)
  const holder = names.reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), document)
  return isRecord(holder) ? holder : undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
