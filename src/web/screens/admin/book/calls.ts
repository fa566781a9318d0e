import type { BookDocument } from '#contract/book/book.ts'
import type { BookEbooksApi, BookDraftsApi } from '#domains/book/draft.routes.ts'
import type { AdminPicturesApi } from '#domains/files/pictures.routes.ts'
import { responseOf } from '../../../api.ts'
import { adminClient } from '../admin-client.ts'

const { book } = adminClient<BookDraftsApi>()
const { pictures } = adminClient<AdminPicturesApi>()
const { files } = adminClient<BookEbooksApi>().book

export const readDraft = () => responseOf(book.draft.$get())
export const saveDraft = (revision: number, document: BookDocument) =>
  responseOf(book.draft.$put({ json: { revision, document } }))
export const publishDraft = (revision: number) => responseOf(book.publish.$post({ json: { revision } }))
export const restoreVersion = (revision: number, number: number) =>
  responseOf(book.restore.$post({ json: { revision, number } }))
export const discardDraft = (revision: number) => responseOf(book.discard.$post({ json: { revision } }))
export const findWarnings = () => responseOf(book.warnings.$get())
export const openPreview = () => responseOf(book.preview.$post())
export const listEbooks = () => responseOf(files.$get())
export const listChapters = (id: string) => responseOf(files[':id'].$get({ param: { id } }))
export const readPictureColors = (id: string) => responseOf(pictures[':id'].colors.$get({ param: { id } }))
