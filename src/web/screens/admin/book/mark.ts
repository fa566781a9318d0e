export type Mark = 'strong' | 'emphasis' | 'heading' | 'list' | 'quotation' | 'link'

type Marked = {
  text: string
  from: number
  to: number
}

const around = { strong: ['**', '**'], emphasis: ['*', '*'], link: ['[', '](https://)'] } as const
const before = { heading: '## ', list: '- ', quotation: '> ' } as const

export function mark(text: string, start: number, end: number, wanted: Mark): Marked {
  if (wanted === 'heading' || wanted === 'list' || wanted === 'quotation')
    return markLines(text, start, end, before[wanted])
  const [opening, closing] = around[wanted]
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
