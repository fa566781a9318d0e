// oxlint-disable react/no-array-index-key -- items have no names of their own, and fields keep no state
import { useRef, type ReactNode } from 'react'
import { Button } from '../../../components/button.tsx'
import { ArrowDown, ArrowUp } from '../../../components/further-icons.tsx'
import { Trash } from '../icons.tsx'

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
  function move(from: number, to: number) {
    const item = items[from]
    if (item !== undefined) onChange(items.toSpliced(from, 1).toSpliced(to, 0, item))
  }
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
                <Tool
                  label={`Move ${noun} ${index + 1} up`}
                  isDisabled={index === 0}
                  onClick={() => move(index, index - 1)}
                >
                  <ArrowUp aria-hidden className="size-4" />
                </Tool>
                <Tool
                  label={`Move ${noun} ${index + 1} down`}
                  isDisabled={index === items.length - 1}
                  onClick={() => move(index, index + 1)}
                >
                  <ArrowDown aria-hidden className="size-4" />
                </Tool>
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

type ToolProps = { label: string; isDisabled?: boolean; onClick: () => void; children: ReactNode }

export function Tool({ label, isDisabled = false, onClick, children }: ToolProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      disabled={isDisabled}
      className="grid size-9 cursor-pointer place-items-center rounded-sm text-soft hover:bg-ink/7 hover:text-ink disabled:cursor-default disabled:opacity-40 disabled:hover:bg-transparent"
      onClick={onClick}
    >
      {children}
    </button>
  )
}
