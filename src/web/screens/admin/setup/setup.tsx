// The step is stored in the database.
import { useEffect, useRef } from 'react'
import { setupSteps, type SetupStep } from '#contract/operations/book-setup.ts'
import { LoadFailed } from '../../../components/load-failed.tsx'
import { readDraft } from '../book/calls.ts'
import { changedSaleMode } from '../../../page-state.ts'
import { loadGroup } from '../settings/save-group.ts'
import { saveWithoutKey } from '../settings/without-key.tsx'
import { load } from '../admin-client.ts'
import { useAdminCall } from '../use-admin-call.ts'
import type { Route } from './+types/setup.ts'
import { chooseStep, readFirstSteps, readSetup } from './calls.ts'
import { ConnectionsStep } from './connections-step.tsx'
import { DoneStep } from './done-step.tsx'
import { FileStep } from './file-step.tsx'
import { FormatsStep } from './formats-step.tsx'
import { OpenStep } from './open-step.tsx'
import { Progress } from './progress.tsx'
import type { Loaded, Run } from './step-card.tsx'
import { WordsStep } from './words-step.tsx'

export function clientLoader() {
  return load('The setup could not be opened', async () => {
    const [setup, draft, firstSteps, payments, shipping] = await Promise.all([
      readSetup(),
      readDraft(),
      readFirstSteps(),
      loadGroup('payments'),
      loadGroup('shipping'),
    ])
    changedSaleMode.set(firstSteps.sale_mode)
    return { setup, draft, firstSteps, payments, shipping }
  })
}

export function clientAction({ request }: Route.ClientActionArgs) {
  return saveWithoutKey(request)
}

export default function SetupView({ loaderData, actionData }: Route.ComponentProps) {
  if (!loaderData) return <LoadFailed card="Set up your shop" title="The setup could not be opened" />
  return <Steps {...loaderData} choiceResult={actionData} />
}

const views: Record<SetupStep, typeof FileStep> = {
  file: FileStep,
  words: WordsStep,
  formats: FormatsStep,
  connections: ConnectionsStep,
  open: OpenStep,
  done: DoneStep,
}

function Steps(loaded: Loaded) {
  const { step } = loaded.setup
  const [isBusy, call] = useAdminCall()
  const run: Run = (failed, work) => call(work, { failed })
  const place = useRef<HTMLDivElement>(null)
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    place.current?.focus()
    scrollTo({ top: 0 })
  }, [step])
  const goTo = (to: Exclude<SetupStep, 'done'>) => void run('Couldn’t save', () => chooseStep(to))
  const View = views[step]
  return (
    <div className={`mx-auto grid gap-6 ${step === 'words' ? '' : 'max-w-3xl'}`}>
      {step !== 'done' && (
        <Progress steps={setupSteps.filter((each) => each !== 'done')} step={step} onChoose={goTo} />
      )}
      <div ref={place} tabIndex={-1} className="outline-none">
        <View key={step} {...loaded} isBusy={isBusy} run={run} goTo={goTo} />
      </div>
    </div>
  )
}
