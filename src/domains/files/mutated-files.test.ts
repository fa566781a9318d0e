// A thousand EPUBs and PDFs, each a sound one with something broken in it: every one is reported or refused, in time, and
// the thread that reads them never fails. The same again: FILES_SEED=… npx vitest run …/mutated-files.test.ts
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createMutations } from '#test/mutations.ts'
import { container, makeEpub, packageDocument } from '#test/epub.ts'
import { Problem } from '#platform/problem.ts'
import { checkEbook, openUploadReader } from './ebook-reader.ts'

const seed = Number(process.env['FILES_SEED'] ?? 20_261_121)
const count = 1_000
/** Well under the user's own limit: no single change may make a small file slow. */
const slowestMs = 20_000

const { mutate } = createMutations(seed)

test('each of a thousand broken files is reported or refused, in time', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-mutated-'))
  const reader = openUploadReader({ threads: 1 })
  const samplePdf = await readFile(new URL(import.meta.resolve('#content/edition/sample.pdf')))
  const shortPdf = Buffer.concat([samplePdf.subarray(0, 1_000), samplePdf.subarray(-20_000)])
  let n = 0
  const makers = [
    () => mutate(makeEpub()),
    () => mutate(n % 20 === 1 ? samplePdf : shortPdf),
    // What is changed is the XML, and not its packing.
    () => makeEpub({ 'O/b.opf': mutate(Buffer.from(packageDocument)) }),
    () => mutate(shortPdf),
    () => makeEpub({ 'META-INF/container.xml': mutate(Buffer.from(container)) }),
    () => mutate(mutate(shortPdf)),
  ]
  const seen = new Map<string, number>()
  let slowest = 0
  for (; n < count; n += 1) {
    const format = n % 2 === 0 ? 'epub' : 'pdf'
    const content = makers[n % makers.length]!()
    const path = join(folder.path, 'file')
    await writeFile(path, content)
    const since = performance.now()
    const outcome = await checkEbook(reader, path, `book.${format}`).then(
      ({ findings }) => (findings.length > 0 ? 'findings' : 'sound'),
      (error: unknown) =>
        error instanceof Problem ? error.code : `file ${n} of seed ${seed}: ${String(error)}`,
    )
    slowest = Math.max(slowest, performance.now() - since)
    seen.set(outcome, (seen.get(outcome) ?? 0) + 1)
  }
  await reader.close()
  expect(slowest).toBeLessThan(slowestMs)
  const expected = ['findings', 'sound', 'uploads.not_an_ebook', 'uploads.too_complex']
  expect([...seen.keys()].filter((outcome) => !expected.includes(outcome))).toEqual([])
  // Each kind of outcome was met: the changes reach what they are to reach.
  expect([...seen.keys()].toSorted()).toEqual(expected)
})
