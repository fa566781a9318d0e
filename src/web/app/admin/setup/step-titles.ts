// The titles of the setup's steps, in their order; the first screen names the next one.
import { setupSteps, type SetupStep } from '#contract/setup/setup-steps.ts'

/** The setup that is done has no step to go to. */
export type ShownStep = Exclude<SetupStep, 'done'>

export const shownSteps = setupSteps.filter((step) => step !== 'done')

export const stepTitles: Record<ShownStep, string> = {
  file: 'Your book',
  words: 'Your page',
  formats: 'Formats and prices',
  connections: 'Mail and payments',
  open: 'Open',
}
