import type { BookSetupApi, FirstStepsApi } from '#domains/operations/setup.routes.ts'
import type { ChosenOffers, SetupStep } from '#contract/operations/setup.ts'
import { responseOf } from '../../../api.ts'
import { adminClient } from '../admin-client.ts'

const { setup } = adminClient<BookSetupApi>()
const steps = adminClient<FirstStepsApi>()['first-steps']

export const readSetup = () => responseOf(setup.$get())
export const readOpeningCheck = () => responseOf(setup.check.$get())
export const readFirstSteps = () => responseOf(steps.$get())
export const takeFile = (upload_id: string) => responseOf(setup.file.$post({ json: { upload_id } }))
export const chooseStep = (step: Exclude<SetupStep, 'done'>) =>
  responseOf(setup.step.$put({ json: { step } }))
export const choosePreview = (revision: number, chapters: number[]) =>
  responseOf(setup.preview.$put({ json: { revision, chapters } }))
export const saveOffers = (json: ChosenOffers) => responseOf(setup.offers.$put({ json }))
export const openShop = (revision: number) => responseOf(setup.open.$post({ json: { revision } }))
