// A place of backups, and which are there.
import type { Backups } from '#features/backup/contract/backups.ts'
import { Badge } from '../../../components/badge.tsx'
import { Card } from '../../../components/card.tsx'
import { ShieldCheck } from '../../../components/icons.tsx'
import { Failed, Note } from '../../../components/note.tsx'
import { formatMoment } from '../../../format.ts'

type PlaceProps = { place: Backups['places'][number]; isOnly: boolean }

export function Place({ place, isOnly }: PlaceProps) {
  const { label, is_same_disk, is_encrypted, backups, others, rehearsed_at } = place
  return (
    <Card
      title={is_same_disk ? 'On this machine' : 'Elsewhere'}
      action={<Badge>{is_encrypted ? 'encrypted' : 'not encrypted'}</Badge>}
    >
      <p className="px-5 pt-3 text-sm break-all text-soft">{label}</p>
      {is_same_disk && (
        <p className="px-5 pt-1 text-sm text-soft">
          This is the same disk as the shop’s data: it helps against mistakes, not against a dead disk.
          {isOnly && ' Set BACKUP_URL to have a copy elsewhere.'}
        </p>
      )}
      {rehearsed_at && (
        <p className="px-5 pt-1 text-sm text-soft">
          Last good rehearsal: <time dateTime={rehearsed_at}>{formatMoment(rehearsed_at)}</time>
        </p>
      )}
      <Problem title="No good backup" problem={place.backup_problem} />
      <Problem title="The rehearsal found problems" problem={place.rehearsal_problem} />
      {!backups && <Failed title="This place cannot be reached" />}
      {others > 0 && <p className="px-5 pt-1 text-sm text-soft">{othersLabel(others, is_encrypted)}</p>}
      {backups?.length === 0 && others === 0 && <Note icon={ShieldCheck} title="No backups here yet" />}
      {backups && backups.length > 0 && (
        <ol className="mt-3 divide-y divide-line border-t border-line">
          {backups.map(({ name, created_at }) => (
            <li key={name} className="flex flex-wrap justify-between gap-x-6 px-5 py-2.5">
              <time dateTime={created_at}>{formatMoment(created_at)}</time>
              <span className="text-sm text-soft tabular-nums">{name}</span>
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
    <div className="mx-5 mt-3 border-l-2 border-danger pl-3">
      <p className="font-semibold text-danger">
        {title} since <time dateTime={problem.since}>{formatMoment(problem.since)}</time>
      </p>
      <p className="break-words whitespace-pre-line">{problem.text}</p>
    </div>
  )
}

function othersLabel(others: number, isEncrypted: boolean): string {
  const kind = isEncrypted ? 'not encrypted' : 'encrypted'
  const are = others === 1 ? `1 backup that is ${kind} is` : `${others} backups that are ${kind} are`
  const advice = isEncrypted
    ? 'They stay until you delete them.'
    : 'Set BACKUP_PASSPHRASE or BACKUP_IDENTITY to open them.'
  return `${are} here, too. ${advice}`
}
