// Pages of a draft, rendered beside the shop's own work. Needs the build.
import { beforeAll, expect, test } from 'vitest'
import { sampleBook } from '#content/sample-book.ts'
import type { BookDocument } from '#features/book/contract/book.ts'
import { WorkerLimitError } from '#platform/bounded-worker.ts'
import { unchangingSite } from '#test/site.ts'
import { ensureBuilt } from '#tools/build.ts'

beforeAll(() => ensureBuilt())

/** In milliseconds of this thread. */
async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.threadCpuUsage()
  await work()
  return process.threadCpuUsage(before).user / 1000
}

test('a preview of a draft shows its words', async () => {
  const { renderPage } = await unchangingSite()
  const document = { ...sampleBook, subtitle: 'Words of the draft' }
  expect(await renderPage('/', document)).toContain('Words of the draft')
  expect(await renderPage('/preview', document)).toContain(sampleBook.preview.chapters[0]?.title)
})

const listOf = (items: number) => ({ number: 1, title: 'A list', text: '- a\n'.repeat(items) })

function withChapters(chapters: BookDocument['preview']['chapters']): BookDocument {
  return { ...sampleBook, preview: { ...sampleBook.preview, chapters } }
}

test('a draft of long lists holds up nobody while it is rendered', async () => {
  const { renderPage } = await unchangingSite()
  await renderPage('/', sampleBook)
  const items = 50_000
  let html = ''
  const cpu = await cpuOf(async () => (html = await renderPage('/preview', withChapters([listOf(items)]))))
  expect(html.split('<li').length).toBeGreaterThan(items)
  expect(cpu).toBeLessThan(100)
  // All that a draft may have. On a slow machine it is not ready in time.
  const all = withChapters(Array.from({ length: 5 }, () => listOf(items)))
  const rendered = cpuOf(() => renderPage('/preview', all).catch(expectLimit))
  expect(await rendered).toBeLessThan(100)
  expect(await renderPage('/', sampleBook)).toContain(sampleBook.subtitle)
})

function expectLimit(error: unknown): void {
  expect(error).toBeInstanceOf(WorkerLimitError)
}
