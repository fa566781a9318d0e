import { Callout } from '../../../components/callout.tsx'
import { Button } from '../../../components/button.tsx'
import { formatMoment } from '../../../format.ts'
import type { Draft } from './use-draft.ts'

type SaveLineProps = { draft: Draft; onKeepMine: () => void; onTakeTheirs: () => void }

export function SaveLine({ draft: { status, state, save }, onKeepMine, onTakeTheirs }: SaveLineProps) {
  if (status.kind === 'conflict') {
    return (
      <Callout look="danger" role="alert">
        <p className="text-pretty">{status.says} What you typed is still here.</p>
        <p className="mt-3 flex flex-wrap gap-2">
          <Button look="outline" onClick={onTakeTheirs}>
            Load the other version
          </Button>
          <Button look="outline" onClick={onKeepMine}>
            Replace it with my version
          </Button>
        </p>
      </Callout>
    )
  }
  return (
    <p role="status" className="flex min-h-6 flex-wrap items-center gap-x-3 text-sm text-soft">
      {wordsOf(status, state)}
      {status.kind === 'failed' && (
        <button
          type="button"
          className="cursor-pointer text-ink underline underline-offset-4"
          onClick={() => void save()}
        >
          Try again now
        </button>
      )}
    </p>
  )
}

function wordsOf(status: Draft['status'], { saved, versions }: Draft['state']): string {
  if (status.kind === 'changed' || status.kind === 'saving') return 'Saving...'
  if (status.kind === 'refused') return `Not saved: ${status.says}`
  if ('says' in status) return `Not saved yet: ${status.says} It is tried again by itself.`
  if (saved) return `Draft saved on ${formatMoment(saved.at)} by ${saved.by}. Visitors do not see it yet.`
  const [newest] = versions
  if (!newest) return 'Visitors see the sample. Nothing is published yet.'
  return `Visitors see version ${newest.number}, published on ${formatMoment(newest.published_at)}.`
}
