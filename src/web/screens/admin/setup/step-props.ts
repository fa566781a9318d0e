import type { DraftState } from '#features/book/contract/drafts.ts'
import type { SettingsGroup } from '#features/settings/contract/settings.ts'
import type { FirstSteps } from '#features/setup/contract/setup.ts'
import type { BookSetup, SetupStep } from '#features/setup/contract/book-setup.ts'
import type { SaveResult } from '../settings/save-group.ts'

export type Loaded = {
  setup: BookSetup
  draft: DraftState
  firstSteps: FirstSteps
  payments: SettingsGroup | undefined
  choiceResult?: SaveResult | undefined
}

export type Run = (title: string, work: () => Promise<unknown>) => Promise<unknown>

export type StepProps = Loaded & {
  isBusy: boolean
  run: Run
  goTo: (step: Exclude<SetupStep, 'done'>) => void
}
