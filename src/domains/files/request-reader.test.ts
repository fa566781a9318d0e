// What becomes of a file that is read for longer than its request waits.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtempDisposable, open, rm, writeFile } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { container, makeBook, makeEpub } from '#test/epub.ts'
import { checkEbook, openUploadReader, readBookFile, repairEbook } from './ebook-reader.ts'
import { openRequestReader } from './request-reader.ts'

const folder = await mkdtempDisposable(join(tmpdir(), 'lectern-requests-'))
const reader = openUploadReader()
afterAll(async () => {
  await reader.close()
  await folder.remove()
})

const timedOut = { code: 'uploads.timed_out', status: 503, retryAfter: 2 }
const late = () => openRequestReader(reader, AbortSignal.abort())
const page = '<h1>Far</h1><p>Once there was a man who had two sons.</p>'

test('the reading goes on when its request has waited long enough, and its repeat gets what was read', async () => {
  const path = join(folder.path, 'late.epub')
  await writeFile(path, makeBook({ 'a.xhtml': page }))
  await expect(readBookFile(late(), path, path)).rejects.toMatchObject(timedOut)
  expect((await readBookFile(openRequestReader(reader), path, path)).book.title).toBe('The Sons')
  await rm(path)
  // Not read again: there is no such file.
  expect((await readBookFile(openRequestReader(reader), path, path)).book.title).toBe('The Sons')
})

test('two requests for one file share a reading, and another kind of reading is another one', async () => {
  const path = join(folder.path, 'twice.epub')
  await writeFile(path, makeBook({ 'a.xhtml': page }))
  const requests = [openRequestReader(reader), openRequestReader(reader)] as const
  const before = reader.readings.size
  await Promise.all(requests.map((request) => readBookFile(request, path, path)))
  expect(reader.readings.size).toBe(before + 1)
  expect(await checkEbook(requests[0], path, path)).toEqual({ file_format: 'epub', findings: [] })
  expect(reader.readings.size).toBe(before + 2)
})

test('what a request was told of a limit is not told to the next one, which reads anew', async () => {
  const hasty = openUploadReader({ taskMs: 1 })
  const path = join(folder.path, 'slow.epub')
  await writeFile(path, makeEpub())
  for (let times = 0; times < 2; times += 1) {
    await expect(checkEbook(openRequestReader(hasty), path, path)).rejects.toMatchObject(timedOut)
    expect(hasty.readings.size).toBe(0)
  }
  await hasty.close()
})

test.skipIf(process.platform === 'win32')(
  'a repair that ends at its limit leaves nothing behind',
  async () => {
    const path = join(folder.path, 'badly-packed.epub')
    // More than a pipe takes, so that it cannot be written to its end.
    const inFolder = { 'META-INF/container.xml': undefined, 'Book/META-INF/container.xml': container }
    await writeFile(path, makeEpub({ ...inFolder, 'Book/picture.jpg': randomBytes(1024 * 1024) }))
    const to = `${path}.repaired`
    execFileSync('mkfifo', [to])
    const pipe = await open(to, 'r+')
    const limit = new AbortController()
    const repairing = repairEbook(reader, path, limit.signal)
    repairing.catch(() => undefined)
    await pipe.read(Buffer.alloc(1), 0, 1)
    limit.abort()
    await pipe.close()
    await expect(repairing).rejects.toMatchObject(timedOut)
    expect(existsSync(to)).toBe(false)
  },
)
