// The parts that the steps of the setup share: their card, their buttons, and their calls of the API.
import { type ReactNode, useState } from 'react'
import type { DraftState } from '#contract/book/book.ts'
import type { SettingsGroup } from '#contract/settings/settings.ts'
import type { FirstSteps, BookSetup, ChosenOffers } from '#contract/setup/setup.ts'
import type { SetupStep } from '#contract/setup/setup-steps.ts'
import type { SaveResult } from '../settings/settings-form.tsx'
import type { FormResult } from '../../../forms/form.ts'
import { Button } from '../../../components/button.tsx'
import { Check, type Icon } from '../../../components/icons.tsx'
import { CircleMinus } from '../icons.tsx'
import { PreviewFrame, usePreviewUrl } from '../book/preview-pane.tsx'
import type { BookSetupApi } from '#domains/setup/book-setup.routes.ts'
import type { FirstStepsApi } from '#domains/setup/first-steps.routes.ts'
import { responseOf } from '../../../api.ts'
import { adminClient } from '../calls.tsx'

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

/** The state of something that the setup asks for; `skipped`: the setup is over, and it is not set. */
export type State = 'done' | 'open' | 'skipped'

const stateIcons: Record<State, { Icon: Icon; color: string; says: string }> = {
  done: { Icon: Check, color: 'text-success', says: 'Done:' },
  open: { Icon: CircleMinus, color: 'text-soft', says: 'Still open:' },
  skipped: { Icon: CircleMinus, color: 'text-gold-text', says: 'Not set:' },
}

export function StateIcon({ state }: { state: State }) {
  const { Icon, color, says } = stateIcons[state]
  return (
    <>
      <Icon aria-hidden className={`mt-0.5 size-5 shrink-0 ${color}`} />
      <span className="sr-only">{says}</span>
    </>
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

type PagePreviewProps = {
  /** Another one loads the page again. */
  version: string | number
  section?: string
  /** Saves what the page is to show; false where it cannot be saved. */
  prepare?: () => Promise<boolean>
}

/** The page as it will open, loaded when it is asked for. */
export function PagePreview({ version, section, prepare }: PagePreviewProps) {
  const [isOpen, setIsOpen] = useState(false)
  async function show(details: HTMLDetailsElement) {
    if (details.open && prepare && !(await prepare())) details.open = false
    setIsOpen(details.open)
  }
  return (
    <details
      className="mt-8 border-t border-line pt-6"
      onToggle={({ currentTarget }) => void show(currentTarget)}
    >
      <summary className="cursor-pointer rounded-sm font-display text-xl font-semibold">
        See your page as visitors will
      </summary>
      {isOpen && <Frame version={version} section={section} />}
    </details>
  )
}

function Frame({ version, section }: Pick<PagePreviewProps, 'version'> & { section: string | undefined }) {
  const [shown] = useState(section ? { place: `#${section}` } : undefined)
  const url = usePreviewUrl()
  const isNarrow = matchMedia('(width < 48rem)').matches
  return (
    <div className="mt-4 h-[36rem]">
      <PreviewFrame
        src={url && `${url}?version=${encodeURIComponent(version)}&page=home`}
        device={isNarrow ? 'phone' : 'desktop'}
        section={shown}
      />
    </div>
  )
}

const { setup } = adminClient<BookSetupApi>()
const firstSteps = adminClient<FirstStepsApi>()

export const readSetup = () => responseOf(setup.$get())
export const readOpeningCheck = () => responseOf(setup.check.$get())
export const readFirstSteps = () => responseOf(firstSteps['first-steps'].$get())
export const takeFile = (upload_id: string) => responseOf(setup.file.$post({ json: { upload_id } }))
export const chooseStep = (step: Exclude<SetupStep, 'done'>) =>
  responseOf(setup.step.$put({ json: { step } }))
export const choosePreview = (revision: number, chapters: number[]) =>
  responseOf(setup.preview.$put({ json: { revision, chapters } }))
export const saveOffers = (json: ChosenOffers) => responseOf(setup.offers.$put({ json }))
export const openShop = (revision: number) => responseOf(setup.open.$post({ json: { revision } }))
export const chooseTimeZone = (time_zone: string) =>
  responseOf(setup['time-zone'].$put({ json: { time_zone } }))
export const readAddress = () => responseOf(firstSteps.address.$get())
