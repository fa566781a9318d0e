import { useRef, type ComponentProps } from 'react'
import { Lines } from './draft-fields.tsx'
import { mark, type Mark } from './mark.ts'
import { Tool } from './tool.tsx'

const tools: { mark: Mark; label: string; face: string }[] = [
  { mark: 'strong', label: 'Bold', face: 'B' },
  { mark: 'emphasis', label: 'Italic', face: 'I' },
  { mark: 'heading', label: 'Heading', face: 'H' },
  { mark: 'list', label: 'List', face: '•' },
  { mark: 'quotation', label: 'Quotation', face: '“' },
  { mark: 'link', label: 'Link', face: '🔗' },
]

export function MarkdownField(props: ComponentProps<typeof Lines>) {
  const frame = useRef<HTMLDivElement>(null)
  function press(wanted: Mark) {
    const area = frame.current?.querySelector('textarea')
    if (!area) return
    const { text, from, to } = mark(area.value, area.selectionStart, area.selectionEnd, wanted)
    props.onChange(text)
    area.focus()
    requestAnimationFrame(() => area.setSelectionRange(from, to))
  }
  return (
    <div ref={frame}>
      <Lines rows={6} {...props} />
      <div role="toolbar" aria-label={`Marks for ${props.label}`} className="mt-1 flex gap-1">
        {tools.map(({ mark: wanted, label, face }) => (
          <Tool key={wanted} label={label} className="font-semibold" onClick={() => press(wanted)}>
            {face}
          </Tool>
        ))}
      </div>
    </div>
  )
}
