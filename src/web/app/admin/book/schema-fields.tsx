// The fields of the book's form as the document's schema describes them; what they are called is in field-texts.ts.
import { z } from 'zod'
import { bookDocument, type BookDocument } from '#contract/book/book.ts'
import type { FieldProblems } from '#contract/field-rules.ts'
import { Line, Lines, ListEditor, MarkdownField, NumberLine, Tick } from './draft-fields.tsx'
import type { FieldText, FieldTexts } from './field-texts.ts'
import type { Change } from './use-draft.ts'

export type PartProps = {
  document: BookDocument
  change: Change
  problems: FieldProblems
  texts: FieldTexts
}

/** `paths` as problems name fields: `author.name`, `questions.0`. An object stands for all its fields. */
export function Fields({ paths, ...book }: PartProps & { paths: readonly string[] }) {
  return paths.map((path) => <FieldAt key={path} path={path} {...book} />)
}

type FieldProps = PartProps & { path: string }

function FieldAt({ path, ...book }: FieldProps) {
  const text = book.texts[path.replaceAll(/\.\d+\b/g, '.*')]
  if (text === false) return null
  const schema = schemaAt(path)
  const names = Object.keys(schema.properties ?? {})
  const inner = <Fields paths={names.map((name) => `${path}.${name}`)} {...book} />
  if (!text) return inner
  if (schema.type === 'array') return <ListField path={path} schema={schema} text={text} {...book} />
  if (schema.type !== 'object') return <Input path={path} schema={schema} text={text} {...book} />
  return (
    <fieldset className="grid gap-5">
      <legend className="mb-2 font-semibold">{text.label}</legend>
      {text.hint && <p className="text-sm text-soft">{text.hint}</p>}
      {inner}
    </fieldset>
  )
}

type InputProps = FieldProps & { schema: Schema; text: FieldText }

function ListField({ path, schema, text: { label, hint, blank }, ...book }: InputProps) {
  const { document, change, problems } = book
  const items = valueAt(document, path)
  return (
    <>
      {hint && <p className="text-sm text-soft">{hint}</p>}
      {problems[path] && <p className="text-sm text-danger">{problems[path]}</p>}
      <ListEditor
        items={Array.isArray(items) ? items : []}
        noun={label}
        max={schema.maxItems ?? Infinity}
        blank={blank}
        onChange={(next) => change((draft) => setAt(draft, path, next))}
      >
        {(_item, index) => <Fields paths={[`${path}.${index}`]} {...book} />}
      </ListEditor>
    </>
  )
}

function Input({ path, schema, text, document, change, problems }: InputProps) {
  const { label, hint, rows, step, example } = text
  const value = valueAt(document, path)
  const set = (next: unknown) => change((draft) => setAt(draft, path, next))
  if (schema.type === 'boolean') return <Tick label={label} isTicked={value === true} onChange={set} />
  const shown = { label, hint, problem: problems[path] }
  if (typeof value === 'number' && !schema.nullable) {
    const { minimum: min, maximum: max } = schema
    return <NumberLine {...shown} value={value} min={min} max={max} step={step} onChange={set} />
  }
  const entered = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  const typed = { ...shown, placeholder: example && `For example: ${example}`, value: entered }
  if (schema.format === 'markdown') return <MarkdownField {...typed} {...(rows && { rows })} onChange={set} />
  if (rows) return <Lines {...typed} rows={rows} onChange={set} />
  const read = (line: string) => (schema.nullable ? readNullable(line, schema.type) : line)
  return <Line {...typed} type={schema.format ?? 'text'} onChange={(line) => set(read(line))} />
}

export type Schema = z.core.JSONSchema.JSONSchema

export const documentSchema: Schema = z.toJSONSchema(bookDocument, { io: 'input' })

/** `nullable` where the field may be null. */
function schemaAt(path: string): Schema {
  return path.split('.').reduce((schema, name) => {
    const inner = /^\d+$/.test(name) ? schema.items : schema.properties?.[name]
    if (typeof inner !== 'object' || Array.isArray(inner)) throw new Error(`the book has no ${path}`)
    const [one, other] = inner.anyOf ?? []
    return other?.type === 'null' ? { ...one, nullable: true } : inner
  }, documentSchema)
}

function readNullable(line: string, type: Schema['type']): string | number | null {
  if (type === 'string') return line || null
  const number = Number.parseInt(line, 10)
  return number > 0 ? number : null
}

export function valueAt(document: unknown, path: string): unknown {
  return path.split('.').reduce((value, name) => (isRecord(value) ? value[name] : undefined), document)
}

export function setAt(document: BookDocument, path: string, value: unknown): void {
  const names = path.split('.')
  const last = names.pop() ?? ''
  const holder = names.length > 0 ? valueAt(document, names.join('.')) : document
  if (isRecord(holder)) holder[last] = value
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
