import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { formatMoment } from '../../../format.ts'
import { DiscardQuestion } from './discard-draft.tsx'
import type { Draft } from './use-draft.ts'

type VersionsProps = {
  draft: Draft
  isBusy: boolean
  onRestore: (number: number) => void
}

export function Versions({ draft: { state, status }, isBusy, onRestore }: VersionsProps) {
  const [asked, setAsked] = useState<number>()
  const isChanged = state.saved !== null || status.kind !== 'saved'
  if (state.versions.length === 0) return null
  function restore(number: number) {
    if (isChanged) setAsked(number)
    else onRestore(number)
  }
  return (
    <details className="group rounded-md border border-line bg-surface">
      <summary className="min-h-12 cursor-pointer px-5 py-3 text-lg font-semibold">Versions</summary>
      <div className="grid gap-3 border-t border-line px-5 py-4">
        <ol reversed className="grid gap-3">
          {state.versions.map(({ number, published_at, published_by }, index) => (
            <li key={number} className="flex flex-wrap items-center justify-between gap-2">
              <span className="wrap-anywhere">
                Version {number}
                <span className="block text-sm text-soft">
                  {formatMoment(published_at)}, {published_by}
                </span>
              </span>
              {index === 0 ? (
                <span className="text-sm font-semibold text-success">Shown to visitors</span>
              ) : (
                <Button look="outline" disabled={isBusy} onClick={() => restore(number)}>
                  Restore<span className="sr-only"> version {number}</span>
                </Button>
              )}
            </li>
          ))}
        </ol>
      </div>
      {asked !== undefined && (
        <DiscardQuestion
          action={`Restore version ${asked}`}
          onConfirm={() => {
            setAsked(undefined)
            onRestore(asked)
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </details>
  )
}
