// Checks and reads uploaded ebooks. They come from outside, so that a thread with limits reads them, and a process PDFs.
import { rm, open } from 'node:fs/promises'
import { type FilesShop, fileProblem, type UploadReader } from './shop.ts'
import { openRequestReader, type RequestReader } from './request-reader.ts'
import { pathToFileURL } from 'node:url'
import { openBoundedWorker, WorkerCrashError, WorkerLimitError } from '#platform/bounded-worker.ts'
import { ownFile } from '#platform/own-file.ts'
import type { BookFile } from './epub.ts'
import { readSignature } from './refused.ts'
import type { SvgSize } from './notice-svg.ts'
import type { UploadOutcome, UploadTask } from './read-upload.ts'
import { withStoredFile } from './file-import.ts'

/**
 * A long book takes 10 s of a free core. The clock shows several times that on a machine that is busy or gives the shop a
 * share of a core.
 */
const limits = { threads: 2, maxQueued: 8, taskMs: 3 * 60_000, cpuMs: 40_000, memoryMb: 128 }
/** The parser unpacks streams into buffers of any size. With its code, a process begins at 100 MiB. */
const pdfLimits = { ...limits, threads: 1, idleMs: 10_000, maxProcessMb: 200 }

export function openUploadReader(changed: Partial<typeof limits> = {}): UploadReader {
  const script = pathToFileURL(ownFile('#domains/files/upload-worker.ts'))
  const books = openBoundedWorker<UploadTask, UploadOutcome>(script, { ...limits, ...changed })
  const pdfs = openBoundedWorker<UploadTask, UploadOutcome>(script, { ...pdfLimits, ...changed })
  return {
    run: async (task, signal) => ((await isPdf(task.path)) ? pdfs : books).run(task, signal),
    readings: new Map(),
    close: async () => void (await Promise.all([books.close(), pdfs.close()])),
  }
}

async function isPdf(path: string): Promise<boolean> {
  await using file = await open(path)
  return (await readSignature(file)) === 'pdf'
}

/** A reader of the shop's own work, or of a request. */
type EbookReader = Pick<UploadReader | RequestReader, 'run'>

export async function checkEbook(reader: EbookReader, path: string, file_name: string) {
  const outcome = await read(reader, { path, file_name, kind: 'check' })
  if ('ebook' in outcome) return outcome.ebook
  throw new Error('an ebook was not checked')
}

export async function readBookFile(reader: EbookReader, path: string, file_name: string): Promise<BookFile> {
  const outcome = await read(reader, { path, file_name, kind: 'book' })
  if ('file' in outcome) return outcome.file
  throw new Error('a book was not read')
}

/** Ends with its request. */
export async function readNoticeSvg(reader: UploadReader, path: string): Promise<SvgSize> {
  const { signal } = openRequestReader(reader)
  const run = (task: UploadTask) => reader.run(task, signal)
  const outcome = await read({ run }, { path, file_name: '', kind: 'notice' })
  if ('notice' in outcome) return outcome.notice
  throw new Error('a notice was not read')
}

/** Reads a file in the storage. The copy that is read stays until the reading ends, which may outlive the request. */
export function readStoredBook(
  services: FilesShop,
  request: RequestReader,
  file: { file_path: string; file_format: string },
): Promise<BookFile> {
  const run = (task: UploadTask) =>
    request.share(`stored ${file.file_path}`, () =>
      withStoredFile(services, file, (path) => services.uploadReader.run({ ...task, path })),
    )
  return readBookFile({ run }, file.file_path, `book.${file.file_format}`)
}

/**
 * Packs an EPUB anew that is not packed as the rules have it; returns the path of the new file, which the caller removes.
 * It ends with `signal`, and leaves nothing when it fails.
 */
export async function repairEbook(
  reader: UploadReader,
  path: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const to = `${path}.repaired`
  const run = (task: UploadTask) => reader.run(task, signal)
  try {
    const outcome = await read({ run }, { path, file_name: '', kind: 'repair', to })
    if ('repaired' in outcome) return outcome.repaired ? to : undefined
    throw new Error('an ebook was not repaired')
  } catch (error) {
    await rm(to, { force: true })
    throw error
  }
}

async function read(reader: EbookReader, task: UploadTask) {
  const outcome = await reader.run(task).catch(refuse)
  if ('refused' in outcome)
    throw fileProblem(outcome.refused, outcome.detail === undefined ? {} : { detail: outcome.detail })
  return outcome
}

function refuse(error: unknown): never {
  if (error instanceof WorkerLimitError && error.limit === 'queue')
    throw fileProblem('uploads.busy', { retryAfter: 5 })
  if (error instanceof WorkerLimitError && error.limit === 'time')
    throw fileProblem('uploads.timed_out', { retryAfter: 2 })
  // V8 ends a process whose JavaScript heap is full as a crash does.
  if (error instanceof WorkerLimitError || error instanceof WorkerCrashError)
    throw fileProblem('uploads.too_complex')
  throw error
}
