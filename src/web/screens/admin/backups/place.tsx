import type { Backups } from '#contract/operations/backups.ts'
import { Time } from '../../../time.tsx'
import { Badge } from '../../../components/badge.tsx'
import { Card } from '../../../components/card.tsx'
import { ForSupport } from '../for-support.tsx'
import { TextLink } from '../text-link.tsx'

type BackupPlaceProps = { place: Backups['places'][number]; isOnly: boolean }

export function BackupPlace({ place, isOnly }: BackupPlaceProps) {
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
