// A long book is rendered in a thread, so that no request waits for it.
import { pathToFileURL } from 'node:url'
import type { BookReader } from '#features/book/book-reader.ts'
import type { BookDocument } from '#features/book/contract/book.ts'
import { openBoundedWorker } from '#platform/bounded-worker.ts'
import type { Content } from '#platform/http/content.ts'
import { ownFile } from '#platform/own-file.ts'
import { performTask, type BookOutcome, type BookTask, type PageTask } from './book-tasks.ts'

export type BookWork = BookReader & {
  renderContent: (page: PageTask) => Promise<Content>
  renderHtml: (page: PageTask) => Promise<string>
  close(): Promise<void>
}

export type WithBookWork = { bookReader: BookWork }

/** The pages of one site may wait at once. */
const limits = { threads: 1, maxQueued: 64, taskMs: 60_000, memoryMb: 512 }

/** The thread starts with the first long book. */
export function openBookWork(): BookWork {
  const thread = pathToFileURL(ownFile('#pages/book-thread.ts'))
  const worker = openBoundedWorker<BookTask, BookOutcome>(thread, limits)
  const run = async (task: BookTask) => (isLong(task.document) ? worker.run(task) : performTask(task))
  const readJson = async (task: BookTask) => {
    const outcome = await run(task)
    if ('json' in outcome) return outcome.json
    throw new Error('a book was not read')
  }
  return {
    readChapters: (document) => readJson({ wanted: 'chapters', document }),
    readLegalPages: (document) => readJson({ wanted: 'legal pages', document }),
    async findLinks(document) {
      const outcome = await run({ wanted: 'links', document })
      if ('links' in outcome) return outcome.links
      throw new Error('links were not looked for')
    },
    async renderContent(page) {
      const outcome = await run({ wanted: 'content', ...page })
      if ('content' in outcome) return outcome.content
      throw new Error('a page was not rendered')
    },
    async renderHtml(page) {
      const outcome = await run({ wanted: 'html', ...page })
      if ('html' in outcome) return outcome.html
      throw new Error('a page was not rendered')
    },
    close: () => worker.close(),
  }
}

/** Characters that Markdown may interpret; each costs about 10 µs. */
const mark = /[!#&*+<>[\\\]_`-]/g

/** About 50 ms of rendering; the start of the thread takes 250 ms. */
const maxMarks = 5_000

function isLong(document: BookDocument): boolean {
  let marks = 0
  // A new line is a backslash in it.
  for (const _ of JSON.stringify(document).matchAll(mark)) if ((marks += 1) > maxMarks) return true
  return false
}
