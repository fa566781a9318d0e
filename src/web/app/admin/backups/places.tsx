// The list of what is to do before the shop survives its disk, and each place of backups with its state.
import type { ReactNode } from 'react'
import type { Backups } from '#contract/backup/backups.ts'
import { Time, formatMoment } from '../../../format/format.tsx'
import { Badge, type BadgeLook } from '../../../components/note.tsx'
import { ButtonLink } from '../../../components/button.tsx'
import { Card } from '../../card.tsx'
import { Check } from '../../../components/icons.tsx'
import { ForSupport } from '../cells.tsx'
import { TextLink } from '../links.tsx'

type Place = Backups['places'][number]
type Loaded = Pick<Backups, 'places' | 'passphrase'>

export function Way({ places, passphrase }: Loaded) {
  const second = places.find(({ is_own }) => !is_own)
  const isElsewhere = second !== undefined && !second.is_same_disk
  const hasPassphrase = passphrase.state === 'stored' || passphrase.state === 'variable'
  // The variables of a place that BACKUP_URL names say whether it is encrypted.
  const isOpenable = hasPassphrase || (second !== undefined && !second.is_by_screen)
  // One that was saved and never reached protects nothing.
  const holdsCopy = isElsewhere && (second.backups ?? []).length > 0
  const isProven = isElsewhere && second.rehearsed_at !== null && !second.rehearsal_problem
  const done = [holdsCopy, isOpenable, isProven].filter(Boolean).length
  return (
    <Card
      title="Could your shop be restored?"
      action={<Badge look={done === 3 ? 'highlighted' : 'toned'}>{`${done} of 3 done`}</Badge>}
    >
      <ol className="grid divide-line max-lg:divide-y lg:grid-cols-3 lg:divide-x">
        <Step number={1} title="A second place" isDone={holdsCopy}>
          <SecondPlace second={second} />
        </Step>
        <Step number={2} title="A passphrase" isDone={isOpenable}>
          <PassphraseState passphrase={passphrase} second={second} />
        </Step>
        <Step number={3} title="A rehearsed restore" isDone={isProven}>
          <Proof second={second} isProven={isProven} />
        </Step>
      </ol>
    </Card>
  )
}

type StepProps = { number: number; title: string; isDone: boolean; children: ReactNode }

function Step({ number, title, isDone, children }: StepProps) {
  const look = isDone ? 'border-success/40 bg-success/10 text-success' : 'border-edge text-soft'
  return (
    <li className="flex min-w-0 gap-3.5 px-5 py-5">
      <span
        className={`grid size-8 shrink-0 place-items-center rounded-full border font-semibold tabular-nums ${look}`}
      >
        {isDone ? <Check aria-hidden className="size-4.5" /> : <span aria-hidden>{number}</span>}
      </span>
      <div className="grid min-w-0 grow content-start justify-items-start gap-2.5 pt-0.5">
        <h3 className="font-semibold">
          {title}
          <span className="sr-only">{isDone ? ': done' : ': still to do'}</span>
        </h3>
        {children}
      </div>
    </li>
  )
}

const text = 'text-sm text-pretty break-words text-soft'

function SecondPlace({ second }: { second: Place | undefined }) {
  if (!second)
    return (
      <>
        <p className={text}>
          All backups are on the disk of the shop. When it fails, the shop is gone. A bucket at a storage
          provider costs a few cents a month.
        </p>
        <ButtonLink to="/admin/backups/place">Set up a second place</ButtonLink>
      </>
    )
  return (
    <>
      <p className={text}>
        {second.is_same_disk ? `${second.label} is on the same disk as the shop’s data.` : second.label}
      </p>
      <p className="text-sm">
        <TextLink to="/admin/backups/place">
          {second.is_by_screen ? 'Change it, or try it' : 'See what is set'}
        </TextLink>
      </p>
    </>
  )
}

function PassphraseState({ passphrase: { state, set_at, set_by }, second }: SecondPassphraseProps) {
  if (state === 'variable')
    return <p className={text}>Set by BACKUP_PASSPHRASE in the shop’s environment. Keep it on paper too.</p>
  if (state === 'stored')
    return (
      <>
        <p className={text}>
          <span>{`Made${set_at ? ` on ${formatMoment(set_at)}` : ''} by ${set_by}. `}</span>
          <span>It is on the page that was printed then, and shown nowhere else.</span>
        </p>
        <p className="text-sm">
          <TextLink to="/admin/backups/passphrase">Make a new one</TextLink>
        </p>
      </>
    )
  return (
    <>
      <p className={text}>{missingPassphrase(state, second)}</p>
      <ButtonLink to="/admin/backups/passphrase" look={second?.is_by_screen ? 'primary' : 'outline'}>
        Make the passphrase
      </ButtonLink>
    </>
  )
}

type SecondPassphraseProps = { passphrase: Backups['passphrase']; second: Place | undefined }

function missingPassphrase(state: Backups['passphrase']['state'], second: Place | undefined): string {
  if (state === 'unreadable')
    return 'The stored one cannot be opened any more, because the shop has another secret. Make a new one.'
  if (second && !second.is_by_screen)
    return second.is_encrypted
      ? 'Copies in the second place are encrypted as the shop’s environment says. A download needs a passphrase of its own.'
      : 'Copies in the second place are not encrypted, as the shop’s environment says. A download needs a passphrase.'
  return 'It encrypts what leaves this machine: copies in the second place, and downloads. You print it once.'
}

function Proof({ second, isProven }: { second: Place | undefined; isProven: boolean }) {
  if (isProven && second?.rehearsed_at)
    return (
      <p className={text}>
        A restore from there was rehearsed on <Time at={second.rehearsed_at} />. The shop does it again by
        itself, each week from another place.
      </p>
    )
  if (second?.rehearsal_problem)
    return <p className={text}>The last rehearsal from there found problems. They are named below.</p>
  return (
    <p className={text}>
      {second?.backups?.length
        ? 'Press “Rehearse a restore” below: the shop takes the place that was not rehearsed for longest.'
        : 'Once a copy is there, the shop rehearses a restore from it: every row and every file is compared.'}
    </p>
  )
}

export function Places({ places }: { places: Place[] }) {
  return (
    <div className={`grid items-start gap-5 ${places.length > 1 ? 'xl:grid-cols-2' : ''}`}>
      {places.map((place) => (
        <PlaceCard key={place.label} place={place} />
      ))}
    </div>
  )
}

function PlaceCard({ place }: { place: Place }) {
  const { label, is_same_disk, is_encrypted, backups, others, rehearsed_at } = place
  const { look, state } = stateOf(place)
  const [newest] = backups ?? []
  return (
    <Card title={is_same_disk ? 'On this machine' : 'Elsewhere'} action={<Badge look={look}>{state}</Badge>}>
      <div className="grid gap-3 px-5 py-4 text-sm">
        <p className="break-all">{label}</p>
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-5 gap-y-1.5 *:nth-[odd]:text-soft">
          <dt>Last copy</dt>
          <dd>{newest ? <Time at={newest.created_at} /> : <span>none yet</span>}</dd>
          <dt>Next copy</dt>
          <dd className="text-pretty">{nextCopy(place)}</dd>
          <dt>Kept</dt>
          <dd>{kept(place)}</dd>
          <dt>Encrypted</dt>
          <dd>{is_encrypted ? 'yes' : 'no'}</dd>
          <dt>Rehearsed</dt>
          <dd>{rehearsed_at ? <Time at={rehearsed_at} /> : <span>not yet</span>}</dd>
        </dl>
        {is_same_disk && (
          <p className="text-pretty text-soft">
            This is the same disk as the shop’s data. It protects against mistakes, not against a failed disk.
          </p>
        )}
        {others > 0 && <p className="text-pretty text-soft">{othersLabel(others, is_encrypted)}</p>}
        <Problem title="No good backup" problem={place.backup_problem} />
        <Problem title="Rehearsal problems" problem={place.rehearsal_problem} />
        {!backups && (
          <p className="text-soft">This place cannot be reached now, so its backups are not listed.</p>
        )}
      </div>
      {backups && backups.length > 0 && <BackupList backups={backups} />}
    </Card>
  )
}

function stateOf({ backup_problem, rehearsal_problem, backups }: Place): { look: BadgeLook; state: string } {
  if (backup_problem) return { look: 'danger', state: 'failing' }
  if (rehearsal_problem) return { look: 'danger', state: 'problems found' }
  if (!backups) return { look: 'danger', state: 'not reached' }
  return backups.length > 0 ? { look: 'highlighted', state: 'good' } : { look: 'toned', state: 'empty' }
}

const nightly = 'every night after 3 a.m.'

function kept({ is_own, hourly }: Place): string {
  if (is_own) return 'the newest 3'
  const hours = hourly === 'on' || hourly === 'slow' ? '24 hours, ' : ''
  return `of ${hours}7 days, 4 weeks and 12 months`
}

function nextCopy({ hourly, backup_problem }: Place): string {
  if (backup_problem) return 'within the hour: it is tried again each hour'
  if (hourly === 'on') return `within the hour, where something has changed; and ${nightly}`
  if (hourly === 'slow')
    return `${nightly} The last one took over five minutes, so hourly copies wait until one is quicker.`
  return nightly
}

function BackupList({ backups }: { backups: NonNullable<Place['backups']> }) {
  return (
    <details className="border-t border-line">
      <summary className="cursor-pointer px-5 py-3 text-sm font-semibold hover:bg-ink/5">
        {backups.length === 1 ? '1 backup' : `${backups.length} backups`}
      </summary>
      <ol className="divide-y divide-line border-t border-line text-sm">
        {backups.map(({ name, created_at }) => (
          <li key={name} className="flex flex-wrap items-baseline justify-between gap-x-6 px-5 py-2.5">
            <Time at={created_at} />
            <ForSupport>
              <p className="break-all text-soft tabular-nums">{name}</p>
            </ForSupport>
          </li>
        ))}
      </ol>
    </details>
  )
}

function Problem({ title, problem }: { title: string; problem: Place['backup_problem'] }) {
  if (!problem) return null
  return (
    <div className="min-w-0 border-l-2 border-danger pl-3 text-base text-ink">
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
