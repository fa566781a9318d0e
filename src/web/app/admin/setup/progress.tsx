// The steps of the setup above the one that is shown: only what is set has a tick, and what was reached opens again.
import { bookFields } from '#contract/book/book.ts'
import { Check } from '../../../components/icons.tsx'
import { areConnected } from './connections-step.tsx'
import type { Loaded } from './step-card.tsx'
import { shownSteps, stepTitles, type ShownStep } from './step-titles.ts'

const isSet: Record<ShownStep, (loaded: Loaded) => boolean> = {
  file: ({ setup }) => setup.file !== null,
  // Without a file, the words are the sample's.
  words: ({ setup, draft }) => setup.file !== null && bookFields.safeParse(draft.document).success,
  formats: ({ setup }) => setup.offers.length > 0,
  connections: areConnected,
  open: () => false,
}

/**
 * The present step alone is stored. A later one may be opened once the shop has what it needs from those before it; mail
 * and payments can wait.
 */
const isReached: Record<ShownStep, (loaded: Loaded) => boolean> = {
  file: () => true,
  words: ({ setup }) => setup.file !== null,
  formats: (loaded) => isSet.words(loaded) || isSet.formats(loaded),
  connections: isSet.formats,
  open: isSet.formats,
}

/** A step that can be opened is `skipped` where something is missing in it. */
type State = 'done' | 'skipped' | 'here' | 'ahead'

type ProgressProps = { loaded: Loaded; step: ShownStep; onChoose: (step: ShownStep) => void }

export function Progress({ loaded, step, onChoose }: ProgressProps) {
  const here = shownSteps.indexOf(step)
  const stateOf = (name: ShownStep, at: number): State => {
    if (at === here) return 'here'
    if (at > here && !isReached[name](loaded)) return 'ahead'
    return isSet[name](loaded) ? 'done' : 'skipped'
  }
  return (
    <nav aria-label="Steps of the setup">
      <ol className="flex flex-wrap gap-x-5 gap-y-2">
        {shownSteps.map((name, at) => (
          <Step
            key={name}
            name={name}
            number={at + 1}
            count={shownSteps.length}
            state={stateOf(name, at)}
            onChoose={onChoose}
          />
        ))}
      </ol>
    </nav>
  )
}

type StepProps = {
  name: ShownStep
  number: number
  count: number
  state: State
  onChoose: (step: ShownStep) => void
}

function Step({ name, number, count, state, onChoose }: StepProps) {
  const canOpen = state === 'done' || state === 'skipped'
  return (
    <li
      aria-current={state === 'here' ? 'step' : undefined}
      className={`flex min-h-9 items-start gap-2.5 text-sm font-semibold ${state === 'here' ? '' : 'text-soft max-sm:hidden'}`}
    >
      <Mark state={state} number={number} />
      <div className="leading-7">
        {canOpen ? (
          <button
            type="button"
            className="cursor-pointer rounded-sm underline-offset-4 hover:text-ink hover:underline"
            onClick={() => onChoose(name)}
          >
            {stepTitles[name]}
            <span className="sr-only">{state === 'done' ? ': done, open again' : ': to do, open'}</span>
          </button>
        ) : (
          <span>{stepTitles[name]}</span>
        )}
        {state === 'skipped' && (
          <span aria-hidden className="block text-xs leading-4 font-normal text-gold-text">
            to do
          </span>
        )}
      </div>
      {state === 'here' && (
        <span className="leading-7 font-normal text-soft sm:hidden">
          step {number} of {count}
        </span>
      )}
    </li>
  )
}

const looks: Record<State, string> = {
  here: 'border-ink bg-ink text-page',
  done: 'border-success text-success',
  skipped: 'border-dashed border-gold-text text-gold-text',
  ahead: 'border-edge',
}

function Mark({ state, number }: { state: State; number: number }) {
  return (
    <span
      aria-hidden
      className={`grid size-7 shrink-0 place-items-center rounded-full border tabular-nums ${looks[state]}`}
    >
      {state === 'done' ? <Check className="size-4" /> : number}
    </span>
  )
}
