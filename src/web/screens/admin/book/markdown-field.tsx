import { useRef } from 'react'
import { TextField } from '../../../components/field.tsx'
import { mark, type Mark } from './mark.ts'

const tools: { mark: Mark; label: string; face: string }[] = [
  { mark: 'strong', label: 'Bold', face: 'B' },
  { mark: 'emphasis', label: 'Italic', face: 'I' },
  { mark: 'heading', label: 'Heading', face: 'H' },
  { mark: 'list', label: 'List', face: '•' },
  { mark: 'quotation', label: 'Quotation', face: '“' },
  { mark: 'link', label: 'Link', face: '🔗' },
]

type MarkdownFieldProps = {
  label: string
  hint?: string
  problem: string | undefined
  rows?: number
  value: string
  onChange: (value: string) => void
}

export function MarkdownField({ label, hint, problem, rows = 6, value, onChange }: MarkdownFieldProps) {
  const frame = useRef<HTMLDivElement>(null)
  function press(wanted: Mark) {
    const area = frame.current?.querySelector('textarea')
    if (!area) return
    const { text, from, to } = mark(area.value, area.selectionStart, area.selectionEnd, wanted)
    onChange(text)
    area.focus()
    requestAnimationFrame(() => area.setSelectionRange(from, to))
  }
  return (
    <div ref={frame}>
      <TextField
        label={label}
        hint={hint}
        problem={problem}
        required={false}
        rows={rows}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <div role="toolbar" aria-label={`Marks for ${label}`} className="mt-1 flex gap-1">
        {tools.map(({ mark: wanted, label: name, face }) => (
          <button
            key={wanted}
            type="button"
            aria-label={name}
            title={name}
            className="size-9 cursor-pointer rounded-sm font-semibold text-soft hover:bg-ink/7 hover:text-ink"
            onClick={() => press(wanted)}
          >
            {face}
          </button>
        ))}
      </div>
    </div>
  )
}
