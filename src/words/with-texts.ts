// The server makes pages and emails of several books at a time: the published one, and drafts.
import { AsyncLocalStorage } from 'node:async_hooks'
import { readTextsFrom, standardWording, type Wording } from './texts.ts'

const storage = new AsyncLocalStorage<Wording>()

readTextsFrom(() => storage.getStore() ?? standardWording)

/** `work` and all that it waits for read the texts in this wording. */
export function withTexts<Result>(wording: Wording, work: () => Result): Result {
  return storage.run(wording, work)
}
