// A new shop takes the place of one that its author has a backup of. In English: there is no book yet whose language it had.
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { RestoreSource, RestoreState } from '#contract/setup/setup-restore.ts'
import { api, ProblemError, responseOf } from '../../api.ts'
import { Button, ButtonLink, Spinner } from '../../components/button.tsx'
import { Check } from '../../components/icons.tsx'
import { Callout } from '../../components/note.tsx'
import { formatCount, formatFileSize, Time } from '../../format/format.tsx'
import { isLoopback } from '#contract/network.ts'
import { RestoreForm } from './restore-form.tsx'

type Backup = NonNullable<RestoreState['backup']>

/** `away`: the shop does not respond, as while it is closed and opened again. */
type Shown = RestoreState & { isAway: boolean }

const unknown: Shown = {
  state: 'none',
  step: null,
  done: 0,
  total: 0,
  backup: null,
  problem: null,
  isAway: false,
}

const pollMs = 1_000
const isUnderWay = ({ state }: RestoreState) => state === 'opening' || state === 'restoring'

export function readRestore(token: string): Promise<RestoreState> {
  return responseOf(api.setup.restore.state.$post({ json: { token } }))
}

/** Returns what the process says, asked each second while something is under way. */
function useRestore(token: string, first: RestoreState | undefined) {
  const [shown, setShown] = useState<Shown>({ ...unknown, ...first })
  const [problem, setProblem] = useState<string>()
  const isWatched = isUnderWay(shown)
  const look = useEffectEvent(async () => {
    try {
      const state = await readRestore(token)
      const isLost = shown.state === 'restoring' && state.state === 'none'
      // A process that was ended has forgotten what it was about.
      if (isLost && shown.step !== 'closed') setProblem(interrupted)
      // The process that answers while the shop is closed may still be the one before.
      if (!isLost || shown.step !== 'closed') setShown({ ...state, isAway: false })
    } catch (error) {
      if (error instanceof ProblemError && error.status < 500 && error.status !== 429) {
        setProblem(error.message)
        setShown(unknown)
      } else setShown((last) => ({ ...last, isAway: true }))
    }
  })
  useEffect(() => {
    if (!isWatched) return undefined
    const timer = setInterval(() => void look(), pollMs)
    return () => clearInterval(timer)
  }, [isWatched])

  async function run(call: () => Promise<RestoreState>): Promise<void> {
    setProblem(undefined)
    try {
      setShown({ ...(await call()), isAway: false })
    } catch (error) {
      setProblem(error instanceof ProblemError ? error.message : away)
    }
  }
  return {
    shown,
    problem: problem ?? shown.problem ?? undefined,
    open: (source: RestoreSource, passphrase: string) =>
      run(() => responseOf(api.setup.restore.open.$post({ json: { token, source, passphrase } }))),
    start: (name: string) => run(() => responseOf(api.setup.restore.start.$post({ json: { token, name } }))),
    leave: () => {
      setProblem(undefined)
      setShown(unknown)
    },
  }
}

const away = 'The shop does not respond. Try again in a moment: what you entered stays here.'
const interrupted =
  'The shop was started again before the restore had ended. Nothing was changed, and what you uploaded stays: enter the passphrase again.'

type RestoreProps = { token: string; first: RestoreState | undefined; onLeave: () => void }

export function Restore({ token, first, onLeave }: RestoreProps) {
  const { shown, problem, open, start, leave } = useRestore(token, first)
  const { state, backup } = shown
  const isForm = state === 'none' || state === 'failed'
  const heading = useRef<HTMLHeadingElement>(null)
  // Each view takes the focus, as a page does.
  useEffect(() => {
    if (titles[state]) heading.current?.focus()
  }, [state])
  return (
    <>
      <h1
        ref={heading}
        tabIndex={-1}
        className="font-display text-2xl font-semibold text-balance outline-none"
      >
        {titles[state]}
      </h1>
      {problem && (
        <Callout look="danger" role="alert" className="my-5">
          {problem}
        </Callout>
      )}
      {/* Hidden, not removed: nothing that was typed is lost. */}
      <div hidden={!isForm}>
        <RestoreForm token={token} onOpen={open} onLeave={onLeave} />
      </div>
      {state === 'opened' && backup && (
        <OpenedBackup backup={backup} onStart={() => start(backup.name)} onLeave={leave} />
      )}
      {isUnderWay(shown) && <UnderWay {...shown} />}
      {state === 'restored' && <Restored />}
    </>
  )
}

const titles: Record<RestoreState['state'], string> = {
  none: 'Restore a shop that you have',
  failed: 'Restore a shop that you have',
  opening: 'Opening the backup',
  opened: 'Is this your shop?',
  restoring: 'Restoring your shop',
  restored: 'Your shop is back',
}

type OpenedProps = { backup: Backup; onStart: () => Promise<void>; onLeave: () => void }

function OpenedBackup({ backup, onStart, onLeave }: OpenedProps) {
  const [isBusy, setIsBusy] = useState(false)
  const { created_at, title, site_url, orders, users, files, size, version, obstacle } = backup
  const facts = [
    ['Book', title ?? 'not published'],
    ['Address', site_url ?? 'not known'],
    ['Backed up', <Time key="at" at={created_at} />],
    ['Orders', formatCount(orders)],
    ['Accounts', formatCount(users)],
    ['Files', `${formatCount(files)}, ${formatFileSize(size)} with the data`],
    ['Written by', `Lectern ${version}`],
  ] as const
  async function restore() {
    setIsBusy(true)
    await onStart()
    setIsBusy(false)
  }
  return (
    <>
      <dl className="mt-6 grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-soft">{name}</dt>
            <dd className="min-w-0 font-semibold break-words">{value}</dd>
          </div>
        ))}
      </dl>
      {obstacle ? (
        <Callout look="danger" className="mt-6">
          {obstacle}
        </Callout>
      ) : (
        <Callout className="mt-6">
          <p className="font-semibold">Does that shop still run somewhere?</p>
          <p className="mt-1">
            Stop it first, and do not start it again. Two shops with the same keys would both sell, take
            payments and send emails, and what is ordered there from now on is not here.
          </p>
          {!isLoopback(site_url ?? '') && (
            <p className="mt-2">
              Where this shop has another address than {site_url ?? 'that one'}, it takes no payments until
              you confirm in the admin area that this is the shop now.
            </p>
          )}
        </Callout>
      )}
      <ul className="mt-5 list-disc space-y-1 pl-5 text-sm text-pretty text-soft">
        <li>Everything is compared before anything is changed.</li>
        <li>All users sign in again, you too, with your password and second factor of that shop.</li>
        <li>Emails that were waiting to be sent are not sent.</li>
        <li>With Stripe, payments made since the backup are looked up, and their orders made again.</li>
      </ul>
      <p className="mt-7 flex flex-wrap gap-3">
        {!obstacle && (
          <Button busy={isBusy} disabled={isBusy} className="min-h-12" onClick={() => void restore()}>
            Restore this shop
          </Button>
        )}
        <Button look="outline" disabled={isBusy} onClick={onLeave}>
          Choose another backup
        </Button>
      </p>
    </>
  )
}

type Step = NonNullable<RestoreState['step']>

const stepLabels: Record<Step, string> = {
  reading: 'Reading the backup, and trying the passphrase',
  checking: 'Comparing the backup with its checksums',
  tables: 'Restoring orders, accounts and settings',
  files: 'Comparing the files',
  copies: 'Copying the files',
  closed: 'Opening the shop again',
}
const stepsOf: Record<'opening' | 'restoring', readonly Step[]> = {
  opening: ['reading', 'checking'],
  restoring: ['checking', 'tables', 'files', 'copies', 'closed'],
}

function UnderWay({ state, step, done, total, isAway }: Shown) {
  const steps = stepsOf[state === 'opening' ? 'opening' : 'restoring']
  const at = step ? steps.indexOf(step) : 0
  return (
    <>
      <ol className="mt-6 space-y-3">
        {steps.map((each, nth) => (
          <li
            key={each}
            {...(nth === at && { 'aria-current': 'step' })}
            className={`flex items-center gap-3 ${nth === at ? 'font-semibold' : 'text-soft'}`}
          >
            <span className="grid size-5 shrink-0 place-items-center">
              {nth < at && <Check aria-label="Done" className="size-5 text-success" />}
              {nth === at && <Spinner />}
            </span>
            {stepLabels[each]}
          </li>
        ))}
      </ol>
      <div className="mt-5 min-h-14">
        {total > 0 && !isAway && (
          <progress
            aria-label={step ? stepLabels[step] : 'Progress'}
            value={done}
            max={total}
            className="h-2 w-full overflow-hidden rounded-sm bg-line text-ink [&::-moz-progress-bar]:bg-ink [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-ink"
          />
        )}
        <p role="status" className="mt-1 text-sm text-pretty text-soft">
          {isAway
            ? 'The shop does not respond for the moment. This page goes on by itself as soon as it does.'
            : state === 'restoring' &&
              'Leave this page open. The shop is closed for a few seconds at the end, and opens again by itself.'}
        </p>
      </div>
    </>
  )
}

function Restored() {
  return (
    <>
      <p className="mt-3 text-pretty text-soft">
        Orders, accounts, files and settings are as they were when the backup was made.
      </p>
      <ol className="mt-5 list-decimal space-y-2 pl-5 text-pretty">
        <li>Sign in with the account of that shop, its password and second factor.</li>
        <li>
          If Today asks whether this is the shop now, confirm it: until then no payments are taken here.
        </li>
        <li>Look at Backups: from now on this machine makes its own, and rehearses them.</li>
      </ol>
      <p className="mt-7">
        <ButtonLink to="/auth?next=%2Fadmin" className="min-h-12">
          Sign in
        </ButtonLink>
      </p>
    </>
  )
}
