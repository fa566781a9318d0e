// A list of items in the book’s form: added, moved and removed.
// oxlint-disable react/no-array-index-key -- items have no names of their own, and fields keep no state
import { useState, useRef, type ReactNode } from 'react'
import { Button } from '../../../components/button.tsx'
import { Trash } from '../icons.tsx'
import { MoveTools } from './draft-fields.tsx'

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
