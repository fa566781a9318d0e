// The fields of the book's form, by the schema of the document. The draft holds what is typed.
import { useMemo } from 'react'
import { z } from 'zod'
import { bookFields, type BookDocument } from '#contract/book/book.ts'
import type { FieldProblems } from '#contract/field-rules.ts'
import { enteredType, fieldAt, formatOf, takes } from '../../field-types.ts'
import {
  Fields,
  isRecord,
  valueAt,
  type Descriptions,
  type FieldProps,
  type FormFields,
} from '../../schema-fields.tsx'
import type { Change } from './draft.ts'
import { Line, Lines, MarkdownField, NumberLine, Tick } from './draft-fields.tsx'
import { ListEditor } from './list-editor.tsx'

export type PartProps = {
  document: BookDocument
  change: Change
  problems: FieldProblems
  texts: Descriptions
  /** The words that were pressed in the preview, for the `count`th time. */
  pressed?: { words: string; count: number }
}

type DraftForm = FormFields & Pick<PartProps, 'document' | 'change' | 'problems' | 'texts'>

export function DraftFields({ paths, ...part }: PartProps & { paths: readonly string[] }) {
  return (
    <Fields paths={paths} fields={part.texts} form={{ ...part, schema: bookFields }} Input={DraftInput} />
  )
}

/** Nothing is required while it is typed: a draft may be unfinished. */
function DraftInput(props: FieldProps<DraftForm>) {
  const { path, form, label, hint, example, rows, input } = props
  const field = fieldAt(form.schema, path)
  const type = enteredType(field)
  if (type instanceof z.ZodArray) return <ListField {...props} schema={type} />
  const value = valueAt(form.document, path)
  const set = (next: unknown) => form.change((draft) => setAt(draft, path, next))
  if (type instanceof z.ZodBoolean) return <Tick label={label} isTicked={value === true} onChange={set} />
  const shown = { label, hint, problem: form.problems[path] }
  const isNullable = takes(field, null)
  if (type instanceof z.ZodNumber && !isNullable) {
    const range = { min: type.minValue ?? undefined, max: type.maxValue ?? undefined, step: input?.step }
    return <NumberLine {...shown} {...range} value={Number(value)} onChange={set} />
  }
  const entered = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  const typed = { ...shown, placeholder: example && `For example: ${example}`, value: entered }
  const format = formatOf(field)
  if (format === 'markdown') return <MarkdownField {...typed} {...(rows && { rows })} onChange={set} />
  if (rows) return <Lines {...typed} rows={rows} onChange={set} />
  const read = (line: string) => (isNullable ? readNullable(line, type instanceof z.ZodNumber) : line)
  return <Line {...typed} type={format ?? 'text'} onChange={(line) => set(read(line))} />
}

function readNullable(line: string, isNumber: boolean): string | number | null {
  if (!isNumber) return line || null
  const number = Number.parseInt(line, 10)
  return number > 0 ? number : null
}

type ListFieldProps = FieldProps<DraftForm> & { schema: z.ZodArray }

function ListField({ path, form, schema, label, hint, blank }: ListFieldProps) {
  const { document, change, problems, texts } = form
  const items = valueAt(document, path)
  const max = useMemo(() => z.toJSONSchema(schema, { io: 'input' }).maxItems ?? Infinity, [schema])
  return (
    <div className="grid grid-cols-1 gap-5">
      {hint && <p className="text-sm text-soft">{hint}</p>}
      {problems[path] && <p className="text-sm text-danger">{problems[path]}</p>}
      <ListEditor
        items={Array.isArray(items) ? items : []}
        noun={label}
        summarize={(item) => summaryOf(schema, item)}
        isWrong={(index) => Object.keys(problems).some((each) => each.startsWith(`${path}.${index}.`))}
        max={max}
        blank={blank}
        onChange={(next) => change((draft) => setAt(draft, path, next))}
      >
        {(_item, index) => (
          <Fields paths={[`${path}.${index}`]} fields={texts} form={form} Input={DraftInput} />
        )}
      </ListEditor>
    </div>
  )
}

/** The first two texts of an item, as title and sentence of its row. */
function summaryOf({ element }: z.ZodArray, item: unknown): string[] {
  const fields = element instanceof z.ZodObject ? Object.keys(element.shape) : []
  const texts = fields.map((field) => valueAt(item, field)).filter((value) => typeof value === 'string')
  return texts.slice(0, 2).map((text) => withoutMarks(text.slice(0, maxSummary)))
}

/** The signs of Markdown are no part of the text. */
function withoutMarks(text: string): string {
  return text.replaceAll(/^[#>\s]+|\*+|\[([^\]]*)\]\([^)]*\)/gm, '$1')
}

/** Characters; a chapter of the preview is as long as it is. */
const maxSummary = 120

export function setAt(document: BookDocument, path: string, value: unknown): void {
  const names = path.split('.')
  const last = names.pop() ?? ''
  const holder = names.length > 0 ? valueAt(document, names.join('.')) : document
  if (isRecord(holder)) holder[last] = value
}
