import { factorsTexts } from '#words/factors.ts'
import { fill } from '#words/fill.ts'
import type { ReactNode } from 'react'
import { Button } from '../../components/button.tsx'

type Item = { id: string; name: string; about: ReactNode }

type FactorListProps<Shown extends Item> = {
  label: string
  items: readonly Shown[]
  onRemove: (item: Shown) => void
  onRename?: (item: Shown) => void
}

export function FactorList<Shown extends Item>(props: FactorListProps<Shown>) {
  const { label, items, onRemove, onRename } = props
  return (
    <ul aria-label={label} className="grid divide-y divide-line border-y border-line">
      {items.map((item) => (
        <li key={item.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
          <div className="min-w-0 break-words">
            <p className="font-semibold">{item.name}</p>
            <div className="text-sm text-pretty text-soft">{item.about}</div>
          </div>
          <p className="flex flex-wrap gap-2">
            {onRename && (
              <Button
                look="outline"
                aria-label={fill(factorsTexts.renameOne, { name: item.name })}
                onClick={() => onRename(item)}
              >
                {factorsTexts.passkeys.rename}
              </Button>
            )}
            <Button
              look="outline"
              aria-label={fill(factorsTexts.removeOne, { name: item.name })}
              onClick={() => onRemove(item)}
            >
              {factorsTexts.remove}
            </Button>
          </p>
        </li>
      ))}
    </ul>
  )
}
