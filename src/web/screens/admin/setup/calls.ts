import type { DraftState } from '#features/book/contract/drafts.ts'
import type { BookSetupApi, FirstStepsApi } from '#features/setup/routes.ts'
import type { FirstSteps } from '#features/setup/contract/setup.ts'
import type { BookSetup, ChosenOffers, SetupStep } from '#features/setup/contract/book-setup.ts'
import { responseOf } from '../../../api.ts'
import { adminClient } from '../admin-client.ts'

const { setup } = adminClient<BookSetupApi>()
const stepsApi = adminClient<FirstStepsApi>()

export function readSetup(): Promise<BookSetup> {
  return responseOf(setup.$get())
}

export function readFirstSteps(): Promise<FirstSteps> {
  return responseOf(stepsApi['first-steps'].$get())
}

export function takeFile(upload_id: string): Promise<BookSetup> {
  return responseOf(setup.file.$post({ json: { upload_id } }))
}

export function chooseStep(step: Exclude<SetupStep, 'done'>): Promise<BookSetup> {
  return responseOf(setup.step.$put({ json: { step } }))
}

export function choosePreview(revision: number, chapters: number[]): Promise<DraftState> {
  return responseOf(setup.preview.$put({ json: { revision, chapters } }))
}

export function saveOffers(json: ChosenOffers): Promise<BookSetup> {
  return responseOf(setup.offers.$put({ json }))
}

export function openShop(revision: number): Promise<BookSetup> {
  return responseOf(setup.open.$post({ json: { revision } }))
}
