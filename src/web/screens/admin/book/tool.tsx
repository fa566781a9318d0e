import type { ComponentProps } from 'react'
import { ArrowDown, ArrowUp } from '../../../components/further-icons.tsx'

export function Tool({ label, className = '', ...rest }: ComponentProps<'button'> & { label: string }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={`grid size-9 cursor-pointer place-items-center rounded-sm text-soft hover:bg-ink/7 hover:text-ink disabled:cursor-default disabled:opacity-40 disabled:hover:bg-transparent ${className}`}
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
