// The plain fields of the book’s form: lines, texts, numbers, ticks and Markdown.
import { useState, type ComponentProps, useRef } from 'react'
import { Field, TextField } from '../../../components/field.tsx'
import { ArrowDown, ArrowUp } from '../../../components/further-icons.tsx'
import type { Icon } from '../../../components/icons.tsx'
import { Bold, Heading, Italic, Link, List, Quotation } from '../icons.tsx'

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

/** Puts the prefix before each line that the selection touches. */
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
