// The fields of a form: a description says what they are called; types, limits and what is required come from the schema.
import { useId, type ComponentProps, type ReactNode } from 'react'
import { z } from 'zod'
import type { FieldProblems } from '#contract/field-rules.ts'
import { Field, TextField } from '../components/field.tsx'
import { PasswordField, SelectField, type Option } from '../components/further-fields.tsx'
import { keyWords } from './key-words.ts'
import { enteredType, fieldAt, formatOf, isRequired } from './field-types.ts'

export type FormFields = {
  schema: z.ZodObject
  /** The fields begin with these. */
  values?: unknown
  problems?: FieldProblems | undefined
  /** Returns why a field cannot be changed, which is its hint then. */
  fixed?: (path: string, hint?: string) => string | undefined
}

type Attribute = 'type' | 'inputMode' | 'autoComplete' | 'spellCheck' | 'maxLength' | 'placeholder' | 'step'

type FieldText = {
  /** The label of a list names one of its items; that of an object is the heading above its fields. */
  label: string
  hint?: string | undefined
  /** It is shown in grey in the empty field. */
  example?: string
  /** A text with `rows` has several lines. */
  rows?: number
  options?: readonly Option[]
  /** An item that is added to a list begins with it. */
  blank?: object
  /** It has half of the width: on a phone, too, or on wider screens. */
  beside?: 'always' | 'wide'
  onType?: (typed: string) => void
  input?: Pick<ComponentProps<'input'>, Attribute | 'required' | 'autoFocus' | 'list'>
}

export type FieldProps<Form = FormFields> = FieldText & { path: string; form: Form }

export type FieldDescription<Form = FormFields> = FieldText & {
  /** It takes the place of the input that the type has. It may show that input, and more beside it. */
  as?: (props: FieldProps<Form>) => ReactNode
}

/** The keys are paths, as problems name fields: `author.name`, `questions.*.answer`. A field that is false is not shown. */
export type Descriptions<Form = FormFields> = Partial<Record<string, FieldDescription<Form> | false>>

type FieldsProps<Form> = {
  /** An object without a description stands for all its fields. */
  paths: readonly string[]
  fields: Descriptions<Form>
  form: Form
  /** The input of a type; another one where the screen holds the values. */
  Input?: (props: FieldProps<Form>) => ReactNode
}

export function Fields<Form extends FormFields>({ paths, ...rest }: FieldsProps<Form>) {
  return paths.map((path) => <FieldAt key={path} path={path} {...rest} />)
}

type FieldAtProps<Form> = Omit<FieldsProps<Form>, 'paths'> & { path: string }

function FieldAt<Form extends FormFields>({ path, ...rest }: FieldAtProps<Form>) {
  const { fields, form, Input: Shown = Input } = rest
  const description = fields[path.replaceAll(/\.\d+\b/g, '.*')]
  if (description === false) return null
  const type = enteredType(fieldAt(form.schema, path))
  const names = type instanceof z.ZodObject ? Object.keys(type.shape) : []
  const inner = <Fields paths={names.map((name) => `${path}.${name}`)} {...rest} />
  if (!description) return inner
  const { as: Own, ...text } = description
  if (type instanceof z.ZodObject && !Own)
    return (
      <fieldset className="grid gap-5">
        <legend className="mb-2 font-semibold">{text.label}</legend>
        {text.hint && <p className="text-sm text-soft">{text.hint}</p>}
        {inner}
      </fieldset>
    )
  return (
    <div className={widths[text.beside ?? 'never']}>
      {Own ? <Own {...text} path={path} form={form} /> : <Shown {...text} path={path} form={form} />}
    </div>
  )
}

const widths = { always: '', wide: 'max-sm:col-span-full', never: 'col-span-full' }

type InputProps = FieldProps & {
  /** The text, where a screen holds it. */
  typed?: string
}

/** The browser holds what is typed, unless a screen does. */
export function Input(props: InputProps) {
  const { path, form, label, hint, example, rows, options, input, typed, onType } = props
  const field = fieldAt(form.schema, path)
  const type = enteredType(field)
  const value = valueAt(form.values, path)
  const reason = form.fixed?.(path, hint)
  const isFixed = reason !== undefined
  const frame = { name: path, label, hint: reason ?? hint, problem: form.problems?.[path] }
  if (type instanceof z.ZodBoolean) return <Switch {...frame} isOn={value === true} isFixed={isFixed} />
  const held = {
    ...frame,
    ...(typed === undefined ? { defaultValue: textOf(value) } : { value: typed }),
    onChange: ({ target }: { target: { value: string } }) => onType?.(target.value),
  }
  if (options) return <SelectField {...held} options={options} disabled={isFixed} />
  const attributes = {
    required: isRequired(field),
    readOnly: isFixed,
    autoComplete: 'off',
    placeholder: example,
    ...input,
  }
  if (rows) {
    const { required, readOnly, maxLength, placeholder, spellCheck } = attributes
    const ofText = { required, readOnly, maxLength, placeholder, spellCheck }
    return <TextField {...held} rows={rows} {...ofText} />
  }
  const format = formatOf(field) ?? ''
  if (format === 'password') return <PasswordField {...held} {...attributes} />
  if (format === 'key') return <PasswordField {...held} {...attributes} {...keyWords} />
  return (
    <Field {...held} type={inputTypes.has(format) ? format : 'text'} {...numberOf(type)} {...attributes} />
  )
}

const inputTypes = new Set(['email', 'url', 'date'])

function numberOf(type: z.core.$ZodType): ComponentProps<'input'> {
  if (!(type instanceof z.ZodNumber)) return {}
  const { minValue, maxValue } = type
  return { type: 'number', inputMode: 'numeric', min: minValue ?? undefined, max: maxValue ?? undefined }
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

type SwitchProps = { name: string; label: string; hint?: string | undefined; isOn: boolean; isFixed: boolean }

function Switch({ name, label, hint, isOn, isFixed }: SwitchProps) {
  const id = useId()
  const input = { type: 'checkbox', name, defaultChecked: isOn, disabled: isFixed }
  if (!hint)
    return (
      <label className="flex items-center gap-3">
        <input {...input} className="tick" />
        {label}
      </label>
    )
  return (
    <div className="flex gap-3">
      <input
        {...input}
        id={id}
        aria-describedby={`${id}-hint`}
        className="mt-1 size-4.5 shrink-0 accent-ink"
      />
      <div>
        <label htmlFor={id} className="font-semibold">
          {label}
        </label>
        <p id={`${id}-hint`} className="mt-0.5 text-sm text-pretty text-soft">
          {hint}
        </p>
      </div>
    </div>
  )
}

export function valueAt(values: unknown, path: string): unknown {
  return path.split('.').reduce((value, name) => (isRecord(value) ? value[name] : undefined), values)
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
