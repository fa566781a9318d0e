import type { Backups, BackupRun } from '#contract/operations/backups.ts'
import { Time, formatCount, formatMoment } from '../../../format.tsx'
import { Badge } from '../../../components/note.tsx'
import { Card, LoadFailed } from '../../../components/card.tsx'
import { ForSupport, OrderRow } from '../cells.tsx'
import { TextLink } from '../links.tsx'
import type { RebuiltPurchases } from '#contract/payments/needs-attention.ts'
import { StatusBadge } from '../../../status-badge.tsx'
import type { BackupsApi } from '#domains/operations/backup.routes.ts'
import { responseOf } from '../../../api.ts'
import { Button } from '../../../components/button.tsx'
import { adminClient, load, useRefresh, useAdminCall } from '../calls.tsx'
import type { Route } from './+types/backups.ts'

type BackupPlaceProps = { place: Backups['places'][number]; isOnly: boolean }

function BackupTarget({ place, isOnly }: BackupPlaceProps) {
  const { label, is_same_disk, is_encrypted, backups, others, rehearsed_at } = place
  return (
    <Card
      title={is_same_disk ? 'On this machine' : 'Elsewhere'}
      action={<Badge>{is_encrypted ? 'encrypted' : 'not encrypted'}</Badge>}
    >
      <div className="grid gap-1 px-5 py-3 text-sm text-soft">
        <p className="break-all">{label}</p>
        {is_same_disk && (
          <p>
            This is the same disk as the shop’s data. It protects against mistakes, not against a failed disk.
            {isOnly && (
              <span>
                {' '}
                Keep a copy elsewhere, <TextLink to="/admin/help/backups">as the manual says</TextLink>.
              </span>
            )}
          </p>
        )}
        {rehearsed_at && (
          <p>
            Last good rehearsal: <Time at={rehearsed_at} />
          </p>
        )}
        {others > 0 && <p>{othersLabel(others, is_encrypted)}</p>}
        <Problem title="No good backup" problem={place.backup_problem} />
        <Problem title="Rehearsal problems" problem={place.rehearsal_problem} />
        {!backups && <p>This place cannot be reached now, so its backups are not listed.</p>}
        {backups?.length === 0 && others === 0 && <p>No backups here yet.</p>}
      </div>
      {backups && backups.length > 0 && (
        <ol className="divide-y divide-line border-t border-line">
          {backups.map(({ name, created_at }) => (
            <li key={name} className="flex flex-wrap items-baseline justify-between gap-x-6 px-5 py-2.5">
              <Time at={created_at} />
              <ForSupport>
                <p className="break-all text-soft tabular-nums">{name}</p>
              </ForSupport>
            </li>
          ))}
        </ol>
      )}
    </Card>
  )
}

type Problems = Backups['places'][number]['backup_problem']

function Problem({ title, problem }: { title: string; problem: Problems }) {
  if (!problem) return null
  return (
    <div className="my-2 min-w-0 border-l-2 border-danger pl-3 text-base text-ink">
      <p className="font-semibold text-danger">
        {title} since <Time at={problem.since} />
      </p>
      <p className="break-words whitespace-pre-line">{problem.text}</p>
    </div>
  )
}

function othersLabel(others: number, isEncrypted: boolean): string {
  const kind = isEncrypted ? 'unencrypted' : 'encrypted'
  const [are, they, them] =
    others === 1
      ? [`1 ${kind} backup is`, 'It stays', 'it']
      : [`${others} ${kind} backups are`, 'They stay', 'them']
  const advice = isEncrypted
    ? `${they} until you delete ${them}.`
    : `The shop needs their passphrase or key to open ${them}.`
  return `${are} here, too. ${advice}`
}

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
        <ul className="divide-y divide-line border-t border-line">
          {items.map((order) => (
            <OrderRow
              key={order.id}
              order={order}
              product={order.product_name}
              buyer={order.email}
              badges={<StatusBadge status={order.status} />}
            />
          ))}
        </ul>
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
    <div className="grid gap-5">
      <Summary runs={found.runs} running={running} hasBackup={hasBackup} />
      {found.places.map((place) => (
        <BackupTarget key={place.label} place={place} isOnly={found.places.length === 1} />
      ))}
      <Rebuilt rebuilt={found.rebuilt} />
      <Runs runs={found.runs} />
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
  if (run.checked !== null) return comparisonLabel(run, run.checked)
  const opened = run.opened ? `, and ${run.opened} opens` : ''
  const outcome =
    run.problems.length === 0
      ? `${counts(run)}, rows and totals match, files are intact${opened}`
      : 'problems found'
  const place = run.place ? ` from ${run.place}` : ''
  return `Rehearsed${place} on ${formatMoment(run.started_at)} in ${seconds(run)} s: ${outcome}.`
}

/** Without the key, the shop cannot read the content. */
function comparisonLabel(run: BackupRun, checked: number): string {
  const outcome = run.problems.length === 0 ? 'all match' : 'problems found'
  const where = `encrypted objects in ${run.place}`
  const compared = run.unchecked
    ? `only ${formatCount(checked)} of ${formatCount(checked + run.unchecked)} ${where} could be compared`
    : `${formatCount(checked)} ${where} were compared`
  return `On ${formatMoment(run.started_at)}, ${compared} with their checksums: ${outcome}.`
}

function counts({ orders, files }: BackupRun): string {
  return `${formatCount(orders ?? 0)} ${orders === 1 ? 'order' : 'orders'}, ${formatCount(files ?? 0)} ${files === 1 ? 'file' : 'files'}`
}

function seconds({ started_at, finished_at }: BackupRun): number {
  return finished_at ? Math.max(1, Math.round((Date.parse(finished_at) - Date.parse(started_at)) / 1000)) : 0
}

const kindLabels = { backup: 'Backup', rehearsal: 'Rehearsal', restore: 'Restore' } satisfies Record<
  BackupRun['kind'],
  string
>

const stateLooks = { running: 'toned', done: 'highlighted', failed: 'danger', lost: 'danger' } as const

function Runs({ runs }: { runs: BackupRun[] }) {
  if (runs.length === 0) return null
  return (
    <Card title="History">
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
              <span>{run.unchecked ? ` · ${formatCount(run.unchecked)} objects not checked` : ''}</span>
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
  return started_by === 'shell' ? 'by the command line' : `by ${started_by}`
}

function stateLabel({ state, problems }: BackupRun): string {
  if (state === 'lost') return 'interrupted'
  return state === 'done' && problems.length > 0 ? 'problems found' : state
}
