import type { BookDocument } from '#features/book/contract/book.ts'
import type { DraftState, DraftWarnings } from '#features/book/contract/drafts.ts'
import type { StoredChapter, StoredEbook } from '#features/book/contract/stored-ebooks.ts'
import type { BookEbooksApi } from '#features/book/ebook-routes.ts'
import type { BookDraftsApi } from '#features/book/draft-routes.ts'
import { responseOf } from '../../../api.ts'
import { adminClient } from '../admin-client.ts'

const { book } = adminClient<BookDraftsApi>()
const { files } = adminClient<BookEbooksApi>().book

export function readDraft(): Promise<DraftState> {
  return responseOf(book.draft.$get())
}

export function saveDraft(revision: number, document: BookDocument): Promise<DraftState> {
  return responseOf(book.draft.$put({ json: { revision, document } }))
}

export function publishDraft(revision: number): Promise<DraftState> {
  return responseOf(book.publish.$post({ json: { revision } }))
}

export function restoreVersion(revision: number, number: number): Promise<DraftState> {
  return responseOf(book.restore.$post({ json: { revision, number } }))
}

export function discardDraft(revision: number): Promise<DraftState> {
  return responseOf(book.discard.$post({ json: { revision } }))
}

export async function findWarnings(): Promise<DraftWarnings['warnings']> {
  return (await responseOf(book.warnings.$get())).warnings
}

export async function openPreview(): Promise<string> {
  return (await responseOf(book.preview.$post())).url
}

export async function listEbooks(): Promise<StoredEbook[]> {
  return (await responseOf(files.$get())).ebooks
}

export async function listChapters(id: string): Promise<StoredChapter[]> {
  return (await responseOf(files[':id'].$get({ param: { id } }))).chapters
}
