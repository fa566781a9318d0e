// What the fields of the book's form are made of: lines, texts, numbers, ticks, Markdown, lists and pictures.
import { useState, type ComponentProps, useRef, type ReactNode, useId } from 'react'
import { Field, TextField } from '../../../components/field.tsx'
import type { BookDocument } from '#contract/book/book.ts'
import { ArrowDown, ArrowUp } from '../../../components/further-icons.tsx'
import { Button } from '../../../components/button.tsx'
import type { Icon } from '../../../components/icons.tsx'
import { Bold, Heading, Italic, Link, List, Quotation, Trash } from '../icons.tsx'
import { maxPictureBytes } from '#contract/files/renditions.ts'
import type { PictureColors } from '#contract/files/pictures.ts'
import type { AdminPicturesApi } from '#domains/files/uploads.routes.ts'
import type { ProblemCode } from '#contract/refusals.ts'
import { ProblemError, responseOf } from '../../../api.ts'
import { failure } from '../../../send.ts'
import { adminClient } from '../calls.tsx'
import { PictureDrop, useSendFile } from '../../file-drop.tsx'

type Changed<Props, Value> = Omit<Props, 'value' | 'onChange'> & {
  value: Value
  onChange: (value: Value) => void
}

export function Line({ onChange, ...rest }: Changed<ComponentProps<typeof Field>, string>) {
  return (
    <Field
      type="text"
      required={false}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      {...rest}
    />
  )
}

export function Lines({ onChange, ...rest }: Changed<ComponentProps<typeof TextField>, string>) {
  return (
    <TextField
      rows={3}
      required={false}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      {...rest}
    />
  )
}

/** An empty field gets the last value back when it loses the focus. */
export function NumberLine({ value, onChange, ...rest }: Changed<ComponentProps<typeof Field>, number>) {
  const [typed, setTyped] = useState({ text: String(value), value })
  // The value was changed from outside: by a restore, or by another item at this place.
  if (typed.value !== value) setTyped({ text: String(value), value })
  return (
    <Field
      type="number"
      inputMode="decimal"
      required={false}
      value={typed.text}
      onBlur={() => setTyped({ text: String(value), value })}
      onChange={({ currentTarget }) => {
        const { valueAsNumber, value: text } = currentTarget
        const next = Number.isNaN(valueAsNumber) ? value : valueAsNumber
        setTyped({ text, value: next })
        if (next !== value) onChange(next)
      }}
      {...rest}
    />
  )
}

type TickProps = { label: string; isTicked: boolean; onChange: (isTicked: boolean) => void }

export function Tick({ label, isTicked, onChange }: TickProps) {
  return (
    <label className="flex min-h-9 cursor-pointer items-center gap-3">
      <input
        type="checkbox"
        className="size-5 accent-ink"
        checked={isTicked}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      {label}
    </label>
  )
}

type Mark = 'strong' | 'emphasis' | 'heading' | 'list' | 'quotation' | 'link'

type Marked = {
  text: string
  from: number
  to: number
}

const around = { strong: ['**', '**'], emphasis: ['*', '*'], link: ['[', '](https://)'] } as const
const before = { heading: '## ', list: '- ', quotation: '> ' } as const

export function mark(text: string, start: number, end: number, style: Mark): Marked {
  if (style === 'heading' || style === 'list' || style === 'quotation')
    return markLines(text, start, end, before[style])
  const [opening, closing] = around[style]
  const selected = text.slice(start, end)
  return {
    text: text.slice(0, start) + opening + selected + closing + text.slice(end),
    from: start + opening.length,
    to: end + opening.length,
  }
}

/** Of each line that the selection touches. */
function markLines(text: string, start: number, end: number, prefix: string): Marked {
  const first = text.lastIndexOf('\n', start - 1) + 1
  const next = text.indexOf('\n', end)
  const last = next < 0 ? text.length : next
  const lines = text.slice(first, last).split('\n')
  const marked = lines.map((line) => prefix + line).join('\n')
  return {
    text: text.slice(0, first) + marked + text.slice(last),
    from: start + prefix.length,
    to: end + prefix.length * lines.length,
  }
}

function Tool({ label, className = '', ...rest }: ComponentProps<'button'> & { label: string }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={`grid size-9 shrink-0 cursor-pointer place-items-center rounded-sm text-soft hover:bg-ink/7 hover:text-ink disabled:cursor-default disabled:opacity-40 disabled:hover:bg-transparent ${className}`}
      {...rest}
    />
  )
}

type MoveToolsProps<Item> = {
  name: string
  items: readonly Item[]
  index: number
  onChange: (items: Item[]) => void
}

/** Moves one item of a list to the place before it or after it. */
export function MoveTools<Item>({ name, items, index, onChange }: MoveToolsProps<Item>) {
  const move = (to: number) =>
    onChange(items.toSpliced(index, 1).toSpliced(to, 0, ...items.slice(index, index + 1)))
  return (
    <>
      <Tool label={`Move ${name} up`} disabled={index === 0} onClick={() => move(index - 1)}>
        <ArrowUp aria-hidden className="size-4" />
      </Tool>
      <Tool label={`Move ${name} down`} disabled={index === items.length - 1} onClick={() => move(index + 1)}>
        <ArrowDown aria-hidden className="size-4" />
      </Tool>
    </>
  )
}

const tools: { mark: Mark; label: string; Icon: Icon }[] = [
  { mark: 'strong', label: 'Bold', Icon: Bold },
  { mark: 'emphasis', label: 'Italic', Icon: Italic },
  { mark: 'heading', label: 'Heading', Icon: Heading },
  { mark: 'list', label: 'List', Icon: List },
  { mark: 'quotation', label: 'Quotation', Icon: Quotation },
  { mark: 'link', label: 'Link', Icon: Link },
]

export function MarkdownField(props: ComponentProps<typeof Lines>) {
  const frame = useRef<HTMLDivElement>(null)
  function press(style: Mark) {
    const area = frame.current?.querySelector('textarea')
    if (!area) return
    const { text, from, to } = mark(area.value, area.selectionStart, area.selectionEnd, style)
    props.onChange(text)
    area.focus()
    requestAnimationFrame(() => area.setSelectionRange(from, to))
  }
  return (
    <div ref={frame}>
      <Lines rows={6} {...props} />
      <div role="toolbar" aria-label={`Marks for ${props.label}`} className="mt-1 flex gap-1">
        {tools.map(({ mark: style, label, Icon }) => (
          <Tool key={style} label={label} onClick={() => press(style)}>
            <Icon aria-hidden className="size-4" />
          </Tool>
        ))}
      </div>
    </div>
  )
}

// oxlint-disable react/no-array-index-key -- items have no names of their own, and fields keep no state

type ListEditorProps<Item> = {
  items: readonly Item[]
  noun: string
  max: number
  blank: Item
  /** Title and sentence of its row. */
  summarize: (item: Item) => readonly string[]
  isWrong: (index: number) => boolean
  onChange: (items: Item[]) => void
  children: (item: Item, index: number) => ReactNode
}

/** A row for each item; one item at a time shows its fields, and those with a problem do. */
export function ListEditor<Item>(props: ListEditorProps<Item>) {
  const { items, noun, max, blank, summarize, isWrong, onChange, children } = props
  const frame = useRef<HTMLDivElement>(null)
  const [opened, setOpened] = useState<number>()
  function add() {
    onChange([...items, blank])
    setOpened(items.length)
    requestAnimationFrame(() =>
      frame.current?.querySelector<HTMLElement>(':scope > ol > li:last-child :is(input, textarea)')?.focus(),
    )
  }
  function change(next: Item[]) {
    const item = opened === undefined ? undefined : items[opened]
    setOpened(item === undefined ? undefined : next.indexOf(item))
    onChange(next)
  }
  /** The focus goes to the next item, or to the button that adds one. */
  function remove(index: number) {
    change(items.toSpliced(index, 1))
    requestAnimationFrame(() =>
      frame.current
        ?.querySelector<HTMLElement>(`:scope > ol > li:nth-child(${index + 1}) button, :scope > p button`)
        ?.focus(),
    )
  }
  return (
    <div ref={frame} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <ol className="divide-y divide-line rounded-md border border-line empty:hidden">
        {items.map((item, index) => {
          const isOpen = opened === index || isWrong(index)
          return (
            <li key={index}>
              <div className="flex items-center pr-1.5">
                <ItemButton
                  number={index + 1}
                  summary={summarize(item)}
                  isOpen={isOpen}
                  isWrong={isWrong(index)}
                  onClick={() => setOpened(opened === index ? undefined : index)}
                />
                <MoveTools name={`${noun} ${index + 1}`} items={items} index={index} onChange={change} />
              </div>
              {isOpen && (
                <div className="grid gap-4 border-t border-line p-4">
                  {children(item, index)}
                  <p className="-mx-3 -mb-2">
                    <Button look="quiet" className="px-3" onClick={() => remove(index)}>
                      <Trash aria-hidden className="size-4" />
                      Remove {noun} {index + 1}
                    </Button>
                  </p>
                </div>
              )}
            </li>
          )
        })}
      </ol>
      <p>
        <Button look="outline" disabled={items.length >= max} onClick={add}>
          Add {noun}
        </Button>
      </p>
    </div>
  )
}

type ItemButtonProps = {
  number: number
  summary: readonly string[]
  isOpen: boolean
  /** It stays open then. */
  isWrong: boolean
  onClick: () => void
}

function ItemButton({ number, summary: [title, line], isOpen, isWrong, onClick }: ItemButtonProps) {
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-disabled={isWrong || undefined}
      className="flex min-h-13 min-w-0 grow cursor-pointer items-center gap-3 rounded-md px-4 py-2 text-left -outline-offset-2 aria-disabled:cursor-default"
      onClick={isWrong ? undefined : onClick}
    >
      <span className="min-w-5 text-sm text-soft tabular-nums">{number}</span>
      <span className="min-w-0 grow">
        <span className={`block truncate ${title ? 'font-semibold' : 'text-soft'}`}>{title || 'Empty'}</span>
        {line && <span className="block truncate text-sm text-soft">{line}</span>}
      </span>
    </button>
  )
}

type BookPicture = NonNullable<BookDocument['cover']>

type PictureFieldProps = {
  name: 'cover' | 'portrait'
  hint: string
  picture: BookPicture | null
  problem: string | undefined
  /** `colors` are those of another picture, and null where it was removed. */
  change: (edit: (before: BookPicture | null) => BookPicture | null, colors?: PictureColors | null) => void
}

const api = adminClient<AdminPicturesApi>()
const tooLarge: ProblemCode = 'uploads.not_a_picture'

export function PictureField({ name, hint, picture, problem, change }: PictureFieldProps) {
  const id = useId()
  const { sending, send, cancel } = useSendFile()
  const [fault, setFault] = useState('')

  async function upload(file: File) {
    setFault('')
    try {
      if (file.size > maxPictureBytes)
        throw new ProblemError({ status: 422, code: tooLarge, detail: sizeFault(file) })
      const upload_id = await send(file)
      if (!upload_id) return
      const { colors, ...stored } = await responseOf(api.pictures.$post({ json: { upload_id } }))
      change((before) => ({ ...stored, alt: before?.alt ?? '' }), colors)
    } catch (error) {
      setFault(failure('Couldn’t upload', error).description ?? '')
    }
  }

  return (
    <div role="group" aria-labelledby={id} className="grid gap-4">
      <p id={id} className="flex min-h-9 items-center justify-between gap-3 font-semibold">
        {title(name)}
        {picture && (
          <Button look="quiet" onClick={() => change(() => null, null)}>
            Remove the {name}
          </Button>
        )}
      </p>
      <PictureDrop
        picture={picture}
        alt={picture?.alt || `The ${name}, not described yet`}
        label={picture ? `Another ${name}` : title(name)}
        hint={`${hint} JPEG, PNG or WebP, 20 MB at most.`}
        onFile={(file) => void upload(file)}
        sending={sending}
        onCancel={cancel}
      />
      {fault && (
        <p role="alert" className="text-sm text-danger">
          {fault}
        </p>
      )}
      {picture && (
        <Line
          label={`Description of the ${name}`}
          hint="What it shows, for those who cannot see it and for search engines."
          problem={problem}
          value={picture.alt}
          onChange={(alt) => change((before) => before && { ...before, alt })}
        />
      )}
    </div>
  )
}

const title = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

function sizeFault({ size }: File): string {
  const megabytes = (size / 1024 / 1024).toFixed(1)
  return `This picture is ${megabytes} MB; the limit is 20 MB. Please save it smaller, for example 1600 pixels wide.`
}
