// The screen of backups.
import type { BackupRun } from '#contract/backup/backups.ts'
import { formatCount, formatMoment } from '../../../format/format.tsx'
import { Card, LoadFailed } from '../../card.tsx'
import { OrderRow, OrderRows } from '../cells.tsx'
import { Download } from './download.tsx'
import { Places, Way } from './places.tsx'
import { counts, Runs, seconds } from './runs.tsx'
import type { RebuiltPurchases } from '#contract/payments/needs-attention.ts'
import { StatusBadge, TestBadge } from '../../../purchase/status-badge.tsx'
import type { BackupsApi } from '#domains/backup/backup.routes.ts'
import { responseOf } from '../../../api.ts'
import { Button } from '../../../components/button.tsx'
import { adminClient, load, useRefresh, useAdminCall } from '../calls.tsx'
import type { Route } from './+types/backups.ts'

function Rebuilt({ rebuilt: { is_searching, count, items } }: { rebuilt: RebuiltPurchases }) {
  if (count === 0 && !is_searching) return null
  return (
    <Card title="Found at Stripe after a restore">
      <p className="px-5 py-3 text-sm text-soft" aria-live="polite">
        {is_searching && <span>{'The shop is looking up payments at Stripe since the backup. '}</span>}
        {count > 0 && (
          <span>
            {'These were paid after the backup was made. The shop has recreated them, with their buyers.'}
          </span>
        )}
        {count > items.length && <span>{` The newest ${items.length} of ${formatCount(count)}:`}</span>}
      </p>
      {count > 0 && (
        <div className="border-t border-line">
          <OrderRows>
            {items.map((order) => (
              <OrderRow
                key={order.id}
                order={order}
                product={order.product_name}
                buyer={order.email}
                badges={
                  <>
                    <StatusBadge status={order.status} /> <TestBadge order={order} />
                  </>
                }
              />
            ))}
          </OrderRows>
        </div>
      )}
    </Card>
  )
}

const api = adminClient<BackupsApi>()

export function clientLoader() {
  return load('Failed to fetch the backups', () => responseOf(api.backups.$get()))
}

const refreshMs = 1500

export default function BackupsView({ loaderData: found }: Route.ComponentProps) {
  const running = found?.runs.find(({ state }) => state === 'running')
  useRefresh(Boolean(running ?? found?.rebuilt.is_searching), refreshMs)
  if (!found) return <LoadFailed card="Backups" title="The backups could not be loaded" />
  const hasBackup = found.places.some(({ backups }) => backups && backups.length > 0)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <Way {...found} />
      <Summary runs={found.runs} running={running} hasBackup={hasBackup} />
      <Places places={found.places} />
      <Download passphrase={found.passphrase} size={found.size} isBusy={running !== undefined} />
      <Rebuilt rebuilt={found.rebuilt} />
      <Runs runs={found.runs} isHourly={found.places.some(({ is_own }) => !is_own)} />
    </div>
  )
}

type SummaryProps = { runs: BackupRun[]; running: BackupRun | undefined; hasBackup: boolean }

function Summary({ runs, running, hasBackup }: SummaryProps) {
  const [isStarting, run] = useAdminCall()
  const isBusy = running !== undefined || isStarting
  const start = (kind: 'backup' | 'rehearsal') =>
    void run(() => api.backups.$post({ json: { kind } }), { failed: 'Couldn’t start' })
  const last = (kind: BackupRun['kind']) => runs.find((run) => run.kind === kind && run.state !== 'running')
  return (
    <Card title="Backups" contentClass="grid gap-4 px-5 py-4">
      <p aria-live="polite">{running ? progressLabel(running) : backupLabel(last('backup'), hasBackup)}</p>
      {running && <ProgressBar run={running} />}
      {!running && hasBackup && <p className="text-soft">{rehearsalLabel(last('rehearsal'))}</p>}
      <p className="flex flex-wrap gap-2 max-sm:*:grow">
        <Button disabled={isBusy} onClick={() => start('backup')}>
          Back up now
        </Button>
        <Button look="outline" disabled={isBusy || !hasBackup} onClick={() => start('rehearsal')}>
          Rehearse a restore
        </Button>
      </p>
    </Card>
  )
}

function ProgressBar({ run: { progress } }: { run: BackupRun }) {
  return (
    <progress
      aria-label="Progress"
      className="h-2 w-full max-w-md overflow-hidden rounded-sm bg-line text-ink [&::-moz-progress-bar]:bg-ink [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-ink"
      {...(progress && { value: progress.done, max: progress.total })}
    />
  )
}

function progressLabel({ kind, progress }: BackupRun): string {
  const what = kind === 'backup' ? 'Backing up' : 'Rehearsing a restore'
  return progress ? `${what}: ${progress.step}, ${progress.done} of ${progress.total}` : `${what}…`
}

function backupLabel(run: BackupRun | undefined, hasBackup: boolean): string {
  if (!run && hasBackup)
    return 'This data has not been backed up yet. The shop makes a backup every night after 3 a.m.'
  if (!run) return 'There is no backup yet. The shop makes one every night after 3 a.m.'
  if (run.state === 'lost') return `The backup of ${formatMoment(run.started_at)} was interrupted.`
  if (run.state === 'failed') return `The backup of ${formatMoment(run.started_at)} failed.`
  const isPartial = run.problems.length > 0
  return `Backed up on ${formatMoment(run.started_at)}${isPartial ? ', but not everywhere' : ''}: ${counts(run)}.`
}

function rehearsalLabel(run: BackupRun | undefined): string {
  if (!run) return 'Not rehearsed yet. Every week the shop rehearses a restore, from each place in turn.'
  if (run.state !== 'done') return `The rehearsal of ${formatMoment(run.started_at)} did not finish.`
  const opened = run.opened ? `, and ${run.opened} opens` : ''
  const outcome =
    run.problems.length === 0
      ? `${counts(run)}, rows and totals match, files are intact${opened}`
      : 'problems found'
  const place = run.place ? ` from ${run.place}` : ''
  return `Rehearsed${place} on ${formatMoment(run.started_at)} in ${seconds(run)} s: ${outcome}.`
}
