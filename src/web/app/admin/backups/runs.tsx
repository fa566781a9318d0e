// The list of backups, rehearsals and restores.
import type { BackupRun } from '#contract/backup/backups.ts'
import { Time, formatCount } from '../../../format/format.tsx'
import { Badge } from '../../../components/note.tsx'
import { Card } from '../../card.tsx'
import { ForSupport } from '../cells.tsx'

export function counts({ orders, files }: BackupRun): string {
  return `${formatCount(orders ?? 0)} ${orders === 1 ? 'order' : 'orders'}, ${formatCount(files ?? 0)} ${files === 1 ? 'file' : 'files'}`
}

export function seconds({ started_at, finished_at }: BackupRun): number {
  return finished_at ? Math.max(1, Math.round((Date.parse(finished_at) - Date.parse(started_at)) / 1000)) : 0
}

const kindLabels = { backup: 'Backup', rehearsal: 'Rehearsal', restore: 'Restore' } satisfies Record<
  BackupRun['kind'],
  string
>

const stateLooks = { running: 'toned', done: 'highlighted', failed: 'danger', lost: 'danger' } as const

export function Runs({ runs, isHourly }: { runs: BackupRun[]; isHourly: boolean }) {
  if (runs.length === 0) return null
  return (
    <Card title="History">
      {isHourly && (
        <p className="border-b border-line px-5 py-3 text-sm text-soft">
          Hourly copies that went well are not listed.
        </p>
      )}
      <ol className="divide-y divide-line">
        {runs.map((run) => (
          <li key={run.id} className="px-5 py-3">
            <p className="flex flex-wrap items-center gap-2">
              <span className="font-semibold">{kindLabels[run.kind]}</span>
              <Badge look={run.problems.length > 0 ? 'danger' : stateLooks[run.state]}>
                {stateLabel(run)}
              </Badge>
            </p>
            <p className="text-sm text-soft tabular-nums">
              <Time at={run.started_at} />
              {` · ${starterLabel(run)}`}
              {run.finished_at && <span>{` · ${seconds(run)} s`}</span>}
              {run.place && <span>{` · in ${run.place}`}</span>}
            </p>
            {run.problems.map((problem) => (
              <p key={problem} className="mt-1 break-words whitespace-pre-line text-danger">
                {problem}
              </p>
            ))}
            {run.backup && (
              <ForSupport>
                <p className="break-all text-soft tabular-nums">{run.backup}</p>
              </ForSupport>
            )}
          </li>
        ))}
      </ol>
    </Card>
  )
}

function starterLabel({ started_by }: BackupRun): string {
  if (started_by === 'schedule') return 'automatic'
  if (started_by === 'hourly') return 'automatic, of the hour'
  return started_by === 'shell' ? 'by the command line' : `by ${started_by}`
}

function stateLabel({ state, problems }: BackupRun): string {
  if (state === 'lost') return 'interrupted'
  return state === 'done' && problems.length > 0 ? 'problems found' : state
}
