// The server makes pages and emails of several books at a time: the published one, and drafts.
import { AsyncLocalStorage } from 'node:async_hooks'
import { readTextsFrom, type ChangedTexts } from './texts.ts'

const storage = new AsyncLocalStorage<ChangedTexts>()

const standard: ChangedTexts = { texts: {}, isAdmin: false }

readTextsFrom(() => storage.getStore() ?? standard)

/** `work` and all that it waits for read the texts with these changes. */
export function withTexts<Result>(changed: ChangedTexts, work: () => Result): Result {
  return storage.run(changed, work)
}
