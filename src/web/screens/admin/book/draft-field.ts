import type { BookDocument } from '#contract/book/book.ts'
import type { FieldProblems } from '#contract/field-problems.ts'
import { exampleOf } from './examples.ts'
import type { Change } from './use-draft.ts'

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
