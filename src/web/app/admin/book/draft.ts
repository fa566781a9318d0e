// The book's draft. Saved after a pause, again after a failure, and never over another admin's change.
import {
  bookFields,
  draftFields,
  type BookDocument,
  type DraftState,
  type DraftWarning,
} from '#contract/book/book.ts'
import type { BookEbooksApi } from '#domains/book/stored-ebooks.routes.ts'
import type { BookDraftsApi } from '#domains/book/drafts.routes.ts'
import { responseOf, ProblemError } from '../../../api.ts'
import { adminClient } from '../calls.tsx'
import type { FieldProblems } from '#contract/field-rules.ts'
import { siteTexts } from '#words/site.ts'
import { checkFields } from '../../../forms/form.ts'
import { useUnsavedChanges } from '../../../forms/unsaved-changes.ts'
import { isOffline } from '../../../notices/send.ts'
import { toast } from '../../../notices/toasts.tsx'
import { z } from 'zod'
import { storedSession } from '../../../session/session.ts'
import { useCallback, useEffect, useRef, useState } from 'react'

/** Copies objects and lists; texts, which may be megabytes, are shared. */
export function copyDocument<Node extends object>(node: Node): Node {
  const copy = Object.assign(Array.isArray(node) ? [] : {}, node)
  for (const [key, value] of Object.entries(copy))
    if (typeof value === 'object' && value !== null) Reflect.set(copy, key, copyDocument(value))
  return copy
}

const { book } = adminClient<BookDraftsApi>()
const { files } = adminClient<BookEbooksApi>().book

export const readDraft = () => responseOf(book.draft.$get())
export const saveDraft = (revision: number, document: BookDocument) =>
  responseOf(book.draft.$put({ json: { revision, document } }))
export const publishDraft = (revision: number) => responseOf(book.publish.$post({ json: { revision } }))
export const restoreVersion = (revision: number, number: number) =>
  responseOf(book.restore.$post({ json: { revision, number } }))
export const discardDraft = (revision: number) => responseOf(book.discard.$post({ json: { revision } }))
const findWarnings = () => responseOf(book.warnings.$get())
export const openPreview = () => responseOf(book.preview.$post())
export const listEbooks = () => responseOf(files.$get())
export const listChapters = (id: string) => responseOf(files[':id'].$get({ param: { id } }))

type Unsaved =
  /** Retried automatically. */
  | { kind: 'failed'; says: string }
  /** Retried once something else is typed. */
  | { kind: 'refused'; says: string }
  | { kind: 'conflict'; says: string }

type Sent = { kind: 'saved'; state: DraftState } | Unsaved

async function sendDraft(revision: number, document: BookDocument): Promise<Sent> {
  try {
    return { kind: 'saved', state: await saveDraft(revision, document) }
  } catch (error) {
    if (isOffline(error)) return { kind: 'failed', says: siteTexts.offline }
    if (!(error instanceof ProblemError)) return { kind: 'failed', says: 'The shop does not respond.' }
    if (error.code === 'book.changed_elsewhere') return findOwn(document, error.message)
    return { kind: error.status >= 500 ? 'failed' : 'refused', says: error.message }
  }
}

/** The response to an earlier try may have been lost, and then the change in between is this one. */
async function findOwn(document: BookDocument, says: string): Promise<Sent> {
  const newest = await readDraft().catch(() => undefined)
  const isOwn = newest && isSame(newest.document, document)
  return isOwn ? { kind: 'saved', state: newest } : { kind: 'conflict', says }
}

/** Compares the fields in the order of the schema: the database keeps none. */
function isSame(one: BookDocument, other: BookDocument): boolean {
  const [first, second] = [one, other].map((each) => JSON.stringify(draftFields.parse(each)))
  return first === second
}

/** Where the rules of the texts cannot be loaded, the server alone checks these. */
export async function checkComplete(document: BookDocument): Promise<FieldProblems | undefined> {
  const { bookDocument } = await import('#contract/book/checked-book.ts').catch(() => ({
    bookDocument: bookFields,
  }))
  const result = checkFields(bookDocument, document)
  if (result) toast({ title: 'Not complete yet', description: describeProblems(result), destructive: true })
  return result
}

const key = 'lectern.book-draft'

const copySchema = z.object({ user_id: z.string(), revision: z.number().int(), document: draftFields })

type Copy = { revision: number; document: BookDocument }

/** Undefined without one of this user, and where the browser forbids storage. */
function readCopy(): Copy | undefined {
  try {
    const { data } = copySchema.safeParse(JSON.parse(sessionStorage.getItem(key) ?? 'null'))
    return data?.user_id === storedSession()?.user.id ? data : undefined
  } catch {
    return undefined
  }
}

/** Storage that is full keeps the copy before: setItem replaces it or fails. */
export function saveCopy(copy: Copy): void {
  try {
    sessionStorage.setItem(key, JSON.stringify({ ...copy, user_id: storedSession()?.user.id }))
  } catch {
    // The tab still has what was typed.
  }
}

function deleteCopy(): void {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // The browser gives no storage, so that it holds no copy.
  }
}

/** Milliseconds after the last change, and after a failure. */
const [pauseMs, retryMs] = [700, 5_000]

type SaveStatus = { kind: 'saved' | 'changed' | 'saving' } | Unsaved

export type Change = (edit: (document: BookDocument) => void) => void

export type Draft = ReturnType<typeof useDraft>

export function useDraft(loaded: DraftState) {
  const [copy] = useState(readCopy)
  const [state, setState] = useState(loaded)
  const [document, setDocument] = useState(copy?.document ?? loaded.document)
  const [status, setStatus] = useState<SaveStatus>(() => firstStatus(loaded, copy))
  const [problems, setProblems] = useState<FieldProblems>({})
  const latest = useRef({ document, revision: loaded.revision })
  const saved = useRef(copy ? undefined : document)
  const sending = useRef<Promise<boolean>>(undefined)
  const saveNow = useRef<() => Promise<boolean>>(undefined)
  const onLeave = useCallback(async () => void (await saveNow.current?.()), [])
  const { markChanged, markSaved } = useUnsavedChanges(onLeave)

  const change: Change = useCallback(
    (edit) => {
      const next = copyDocument(latest.current.document)
      edit(next)
      latest.current.document = next
      setDocument(next)
      setStatus((before) => (before.kind === 'conflict' ? before : { kind: 'changed' }))
      markChanged()
    },
    [markChanged],
  )

  const adopt = useCallback(
    (next: DraftState) => {
      latest.current.revision = next.revision
      setState(next)
      if (latest.current.document !== saved.current) return setStatus({ kind: 'changed' })
      deleteCopy()
      markSaved()
      setStatus({ kind: 'saved' })
    },
    [markSaved],
  )

  const replace = useCallback(
    (next: DraftState) => {
      latest.current.document = next.document
      saved.current = next.document
      setDocument(next.document)
      setProblems({})
      adopt(next)
    },
    [adopt],
  )

  const send = useCallback(async (): Promise<boolean> => {
    const sent = latest.current.document
    setStatus({ kind: 'saving' })
    const outcome = await sendDraft(latest.current.revision, sent)
    if (outcome.kind !== 'saved') {
      setStatus(outcome)
      return false
    }
    saved.current = sent
    adopt(outcome.state)
    return true
  }, [adopt])

  /** One at a time: each names the revision that the one before has made. False where it could not be saved. */
  const save = useCallback(async (): Promise<boolean> => {
    while (sending.current) await sending.current
    if (latest.current.document === saved.current) return true
    sending.current = send()
    try {
      return await sending.current
    } finally {
      sending.current = undefined
    }
  }, [send])
  useEffect(() => {
    saveNow.current = save
  }, [save])

  /** This tab's change replaces another one of the same revision. */
  const overwrite = useCallback(
    (newest: DraftState) => {
      latest.current.revision = newest.revision
      saved.current = undefined
      setState(newest)
      void save()
    },
    [save],
  )

  useEffect(() => {
    if (document === saved.current) return undefined
    saveCopy({ revision: latest.current.revision, document })
    if (status.kind !== 'changed' && status.kind !== 'failed') return undefined
    const timer = setTimeout(() => void save(), status.kind === 'failed' ? retryMs : pauseMs)
    return () => clearTimeout(timer)
  }, [document, status, save])

  const revision = useCallback(() => latest.current.revision, [])
  return {
    document,
    state,
    status,
    problems,
    setProblems,
    change,
    save,
    adopt,
    replace,
    overwrite,
    revision,
  }
}

function firstStatus(loaded: DraftState, copy: ReturnType<typeof readCopy>): SaveStatus {
  if (!copy) return { kind: 'saved' }
  if (copy.revision === loaded.revision) return { kind: 'changed' }
  return {
    kind: 'conflict',
    says: 'This tab holds changes that were not saved, and the book was changed elsewhere since.',
  }
}

/** Undefined while loading, which may take seconds for links; null after a failure. */
export function useWarnings(): DraftWarning[] | undefined | null {
  const [warnings, setWarnings] = useState<DraftWarning[] | null>()
  useEffect(() => {
    let isGone = false
    findWarnings().then(
      (result) => isGone || setWarnings(result.warnings),
      () => isGone || setWarnings(null),
    )
    return () => void (isGone = true)
  }, [])
  return warnings
}

/** The names of the book's fields as the form shows them, for notices about fields that may be out of sight. */
export const partNames: Record<keyof BookDocument, string> = {
  title: 'Title',
  product: 'Name in the title',
  subtitle: 'Subtitle',
  description: 'Description',
  description_title: 'Title above the description',
  language: 'Language',
  author: 'Author',
  isbns: 'ISBN',
  pages: 'Number of pages',
  publisher: 'Publisher',
  published_on: 'Date of publication',
  cover: 'Cover',
  rating: 'Rating',
  refund_days: 'Refund period',
  words_title: 'Title of the chapters',
  words: 'Chapters',
  words_have_own_numbers: 'Numbers of the chapters',
  blueprint: 'Introduction',
  preview: 'Preview',
  invitation: 'Invitation',
  text: 'Your own text',
  quotes: 'Quotations',
  questions: 'Questions and answers',
  claims: 'Promises',
  contact: 'Contact',
  closing: 'Closing',
  packing_slip: 'Packing slip',
  sections: 'Order of the sections',
  looks: 'Colors',
  legal: 'Legal pages',
  texts: 'Words of pages and emails',
}

type BookChange = { name: string; was?: string; is?: string }

export function listChanges(published: BookDocument, draft: BookDocument): BookChange[] {
  const changed = keysOf(partNames).filter(
    (key) => JSON.stringify(published[key]) !== JSON.stringify(draft[key]),
  )
  return changed.map((key) => {
    const [was, is] = [published[key], draft[key]]
    if (typeof was === 'object' || typeof is === 'object') return { name: partNames[key] }
    return { name: partNames[key], was: String(was), is: String(is) }
  })
}

function keysOf<Key extends string>(record: Record<Key, string>): Key[] {
  return Object.keys(record).filter((key): key is Key => key in record)
}

const names: Record<string, string> = {
  'author.name': 'Name of the author',
  'author.email': 'Email of the author',
  'preview.chapters': 'Preview',
  'rating.source': 'Source of the rating',
  'contact.direct.title': 'Contact, title',
  'contact.speaking.title': 'Speaking, title',
  'closing.title': 'Closing, title',
  'invitation.title': 'Invitation, title',
}

const maxNamed = 3

/** `path` as problems name fields: `preview.chapters.0.title` is "Preview 1, title". */
export function fieldName(path: string): string {
  if (names[path]) return names[path]
  const [part = '', ...rest] = path.split('.')
  const known: Record<string, string> = partNames
  const place = rest.find((word) => /^\d+$/.test(word))
  const last = rest.at(-1)
  const field = last && last !== place ? `, ${last.replaceAll('_', ' ')}` : ''
  return (known[part] ?? part) + (place ? ` ${Number(place) + 1}` : '') + field
}

export function describeProblems(problems: FieldProblems): string {
  const paths = Object.keys(problems)
  const named = paths.slice(0, maxNamed).map(fieldName)
  const rest = paths.length - named.length
  return `Please correct: ${named.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}.`
}
