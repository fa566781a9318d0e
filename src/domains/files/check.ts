// Checks and reads uploaded ebooks. They come from outside, so that a thread with limits reads them, and a process PDFs.
import { open } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { openBoundedWorker, WorkerCrashError, WorkerLimitError } from '#platform/bounded-worker.ts'
import { ownFile } from '#platform/own-file.ts'
import { fileProblem, type UploadReader } from './shop.ts'
import type { BookFile } from './epub.ts'
import { readSignature } from './refused.ts'
import type { UploadOutcome, UploadTask } from './read-upload.ts'

const limits = { threads: 2, maxQueued: 8, taskMs: 10_000, memoryMb: 128 }
/** The parser unpacks streams into buffers of any size. With its code, a process begins at 100 MiB. */
const pdfLimits = { ...limits, threads: 1, idleMs: 10_000, maxProcessMb: 200 }

export function openUploadReader(changed: Partial<typeof limits> = {}): UploadReader {
  const script = pathToFileURL(ownFile('#domains/files/upload-worker.ts'))
  const books = openBoundedWorker<UploadTask, UploadOutcome>(script, { ...limits, ...changed })
  const pdfs = openBoundedWorker<UploadTask, UploadOutcome>(script, { ...pdfLimits, ...changed })
  return {
    run: async (task) => ((await isPdf(task.path)) ? pdfs : books).run(task),
    close: async () => void (await Promise.all([books.close(), pdfs.close()])),
  }
}

async function isPdf(path: string): Promise<boolean> {
  await using file = await open(path)
  return (await readSignature(file)) === 'pdf'
}

export async function checkEbook(reader: UploadReader, path: string, file_name: string) {
  const outcome = await read(reader, { path, file_name, wanted: 'check' })
  if ('ebook' in outcome) return outcome.ebook
  throw new Error('an ebook was not checked')
}

export async function readBookFile(reader: UploadReader, path: string, file_name: string): Promise<BookFile> {
  const outcome = await read(reader, { path, file_name, wanted: 'book' })
  if ('file' in outcome) return outcome.file
  throw new Error('a book was not read')
}

/** Packs an EPUB anew that is not packed as the rules have it; returns the path of the new file, which the caller removes. */
export async function repairEbook(reader: UploadReader, path: string): Promise<string | undefined> {
  const outcome = await read(reader, { path, file_name: '', wanted: 'repair' })
  if ('repaired' in outcome) return outcome.repaired
  throw new Error('an ebook was not repaired')
}

async function read(reader: UploadReader, task: UploadTask) {
  const outcome = await reader.run(task).catch(refuse)
  if ('refused' in outcome)
    throw fileProblem(outcome.refused, outcome.detail === undefined ? {} : { detail: outcome.detail })
  return outcome
}

function refuse(error: unknown): never {
  if (error instanceof WorkerLimitError && error.limit === 'queue')
    throw fileProblem('uploads.busy', { retryAfter: 5 })
  // V8 ends a process whose JavaScript heap is full as a crash does.
  if (error instanceof WorkerLimitError || error instanceof WorkerCrashError)
    throw fileProblem('uploads.too_complex')
  throw error
}
