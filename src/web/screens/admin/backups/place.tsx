// A place of backups, and which are there.
import type { Backups } from '#features/backup/contract/backups.ts'
import { Badge } from '../../../components/badge.tsx'
import { Card } from '../../../components/card.tsx'
import { ShieldCheck } from '../../../components/icons.tsx'
import { Failed, Note } from '../../../components/note.tsx'
import { formatMoment } from '../../../format.ts'

type PlaceProps = { place: Backups['places'][number]; isOnly: boolean }

export function Place({ place: { label, is_same_disk, is_encrypted, backups }, isOnly }: PlaceProps) {
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
      {!backups && <Failed title="This place cannot be reached" />}
      {backups?.length === 0 && <Note icon={ShieldCheck} title="No backups here yet" />}
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
