import type { SetupStep } from '#contract/operations/setup.ts'
import { Check } from '../../../components/icons.tsx'

type Name = Exclude<SetupStep, 'done'>

const titles: Record<Name, string> = {
  file: 'Your book',
  words: 'Your page',
  formats: 'Formats and prices',
  connections: 'Mail and payments',
  open: 'Open',
}

type ProgressProps = { steps: readonly Name[]; step: Name; onChoose: (step: Name) => void }

export function Progress({ steps, step, onChoose }: ProgressProps) {
  const here = steps.indexOf(step)
  return (
    <nav aria-label="Steps of the setup">
      <ol className="flex flex-wrap gap-x-6 gap-y-2">
        {steps.map((name, at) => (
          <li
            key={name}
            aria-current={at === here ? 'step' : undefined}
            className={`flex min-h-9 items-center gap-2.5 text-sm font-semibold ${at === here ? '' : 'text-soft max-sm:hidden'}`}
          >
            <Mark isDone={at < here} isHere={at === here} number={at + 1} />
            {at < here ? (
              <button
                type="button"
                className="cursor-pointer rounded-sm underline-offset-4 hover:text-ink hover:underline"
                onClick={() => onChoose(name)}
              >
                {titles[name]}
                <span className="sr-only">: done, open again</span>
              </button>
            ) : (
              <span>{titles[name]}</span>
            )}
            {at === here && (
              <span className="font-normal text-soft sm:hidden">
                step {at + 1} of {steps.length}
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}

function Mark({ isDone, isHere, number }: { isDone: boolean; isHere: boolean; number: number }) {
  const look = isHere ? 'border-ink bg-ink text-page' : isDone ? 'border-success text-success' : 'border-edge'
  return (
    <span
      aria-hidden
      className={`grid size-7 shrink-0 place-items-center rounded-full border tabular-nums ${look}`}
    >
      {isDone ? <Check className="size-4" /> : number}
    </span>
  )
}
