// Tabs with their panels, operated by arrow keys.
import { useId, useRef, type KeyboardEvent, type ReactNode } from 'react'

type Tab<Name extends string> = { name: Name; label: string; panel: ReactNode }
type TabsProps<Name extends string> = {
  label: string
  tabs: readonly Tab<Name>[]
  chosen: Name
  onChoose: (name: Name) => void
}

const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 }

export function Tabs<Name extends string>({ label, tabs, chosen, onChoose }: TabsProps<Name>) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)

  function move(event: KeyboardEvent) {
    const step = steps[event.key]
    if (!step) return
    const at = tabs.findIndex(({ name }) => name === chosen)
    const next = (at + step + tabs.length) % tabs.length
    const tab = tabs[next]
    if (tab) onChoose(tab.name)
    list.current?.querySelectorAll<HTMLButtonElement>('[role=tab]')[next]?.focus()
  }

  return (
    <>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        className="grid auto-cols-fr grid-flow-col gap-1 rounded-md border border-edge bg-ink/7 p-1"
      >
        {tabs.map(({ name, label: text }) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}-tab`}
            aria-controls={`${id}-${name}`}
            aria-selected={name === chosen}
            tabIndex={name === chosen ? 0 : -1}
            className="min-h-11 cursor-pointer rounded-sm font-semibold text-soft transition-colors hover:text-ink aria-selected:bg-raised aria-selected:text-ink aria-selected:shadow-[inset_0_-3px_0_var(--color-gold-text)] forced-colors:aria-selected:underline"
            onClick={() => onChoose(name)}
            onKeyDown={move}
          >
            {text}
          </button>
        ))}
      </div>
      {/* One over the other: as high as the highest, so that nothing moves when another is chosen. */}
      <div className="mt-6 grid grid-cols-[minmax(0,1fr)]">
        {tabs.map(({ name, panel }) => (
          <div
            key={name}
            role="tabpanel"
            id={`${id}-${name}`}
            aria-labelledby={`${id}-${name}-tab`}
            className={`col-start-1 row-start-1 ${name === chosen ? '' : 'invisible'}`}
          >
            {panel}
          </div>
        ))}
      </div>
    </>
  )
}
