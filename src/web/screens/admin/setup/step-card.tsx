import type { ReactNode } from 'react'
import type { DraftState } from '#contract/book/drafts.ts'
import type { SettingsGroup } from '#contract/operations/settings.ts'
import type { FirstSteps, BookSetup, SetupStep } from '#contract/operations/setup.ts'
import type { SaveResult } from '../settings/save-group.ts'
import type { FormResult } from '../../../use-action-form.ts'
import { Button } from '../../../components/button.tsx'

export type Loaded = {
  setup: BookSetup
  draft: DraftState
  firstSteps: FirstSteps
  payments: SettingsGroup | undefined
  shipping: SettingsGroup | undefined
  choiceResult?: SaveResult | undefined
}

export type Run = (failed: string, work: () => Promise<unknown>) => Promise<FormResult>

export type StepProps = Loaded & {
  isBusy: boolean
  run: Run
  goTo: (step: Exclude<SetupStep, 'done'>) => void
}

type StepCardProps = { title: string; lead: ReactNode; children: ReactNode }

export function StepCard({ title, lead, children }: StepCardProps) {
  return (
    <section className="rounded-md border border-line bg-surface p-5 sm:p-8">
      <StepHeading title={title} lead={lead} />
      {children}
    </section>
  )
}

export function StepHeading({ title, lead }: Omit<StepCardProps, 'children'>) {
  return (
    <header className="mb-6">
      <h2 className="font-display text-2xl font-semibold text-balance">{title}</h2>
      <p className="mt-2 max-w-prose text-pretty text-soft">{lead}</p>
    </header>
  )
}

type StepButtonsProps = {
  isBusy: boolean
  onBack?: () => void
  onNext?: () => void
  next?: string
  busy?: string
}

export function StepButtons({
  isBusy,
  onBack,
  onNext,
  next = 'Continue',
  busy = 'Saving...',
}: StepButtonsProps) {
  return (
    <p className="mt-8 flex flex-wrap justify-between gap-3">
      {onBack ? (
        <Button look="outline" disabled={isBusy} onClick={onBack}>
          Back
        </Button>
      ) : (
        <span />
      )}
      <Button type={onNext ? 'button' : 'submit'} disabled={isBusy} onClick={onNext}>
        {isBusy ? busy : next}
      </Button>
    </p>
  )
}
