// oxlint-disable react/no-array-index-key -- items have no names of their own, and fields keep no state
import { useRef, type ReactNode } from 'react'
import { Button } from '../../../components/button.tsx'
import { Trash } from '../icons.tsx'
import { MoveTools, Tool } from './tool.tsx'

type ListEditorProps<Item> = {
  items: readonly Item[]
  noun: string
  max: number
  blank: Item
  onChange: (items: Item[]) => void
  children: (item: Item, index: number) => ReactNode
}

export function ListEditor<Item>({ items, noun, max, blank, onChange, children }: ListEditorProps<Item>) {
  const list = useRef<HTMLOListElement>(null)
  function add() {
    onChange([...items, blank])
    requestAnimationFrame(() =>
      list.current
        ?.querySelector<HTMLElement>(':scope > li:last-child input, :scope > li:last-child textarea')
        ?.focus(),
    )
  }
  return (
    <div className="grid gap-4">
      <ol ref={list} className="grid gap-4">
        {items.map((item, index) => (
          <li key={index} className="grid gap-4 rounded-md border border-line p-4">
            <div className="flex items-center justify-between">
              <span className="text-sm font-semibold text-soft tabular-nums">{index + 1}</span>
              <span className="flex gap-1">
                <MoveTools name={`${noun} ${index + 1}`} items={items} index={index} onChange={onChange} />
                <Tool
                  label={`Remove ${noun} ${index + 1}`}
                  onClick={() => onChange(items.toSpliced(index, 1))}
                >
                  <Trash aria-hidden className="size-4" />
                </Tool>
              </span>
            </div>
            {children(item, index)}
          </li>
        ))}
      </ol>
      <p>
        <Button look="outline" disabled={items.length >= max} onClick={add}>
          Add {noun}
        </Button>
      </p>
    </div>
  )
}
