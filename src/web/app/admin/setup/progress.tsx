// The steps of the setup above the one that is shown: only what is set has a tick.
import { bookDocument } from '#contract/book/book.ts'
import { Check } from '../../../components/icons.tsx'
import { areConnected } from './connections-step.tsx'
import type { Loaded } from './step-card.tsx'
import { shownSteps, stepTitles, type ShownStep } from './step-titles.ts'

const isSet: Record<ShownStep, (loaded: Loaded) => boolean> = {
  file: ({ setup }) => setup.file !== null,
  words: ({ draft }) => bookDocument.safeParse(draft.document).success,
  formats: ({ setup }) => setup.offers.length > 0,
  connections: areConnected,
  open: () => false,
}

/** A step that was left is `skipped` where something is missing in it. */
type State = 'done' | 'skipped' | 'here' | 'ahead'

type ProgressProps = { loaded: Loaded; step: ShownStep; onChoose: (step: ShownStep) => void }

export function Progress({ loaded, step, onChoose }: ProgressProps) {
  const here = shownSteps.indexOf(step)
  const stateOf = (name: ShownStep, at: number): State => {
    if (at >= here) return at === here ? 'here' : 'ahead'
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
  const isLeft = state === 'done' || state === 'skipped'
  return (
    <li
      aria-current={state === 'here' ? 'step' : undefined}
      className={`flex min-h-9 items-center gap-2.5 text-sm font-semibold ${state === 'here' ? '' : 'text-soft max-sm:hidden'}`}
    >
      <Mark state={state} number={number} />
      {isLeft ? (
        <button
          type="button"
          className="cursor-pointer rounded-sm underline-offset-4 hover:text-ink hover:underline"
          onClick={() => onChoose(name)}
        >
          {stepTitles[name]}
          <span className="sr-only">{state === 'done' ? ': done, open again' : ': to do, open again'}</span>
        </button>
      ) : (
        <span>{stepTitles[name]}</span>
      )}
      {state === 'skipped' && (
        <span aria-hidden className="font-normal text-gold-text">
          to do
        </span>
      )}
      {state === 'here' && (
        <span className="font-normal text-soft sm:hidden">
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
