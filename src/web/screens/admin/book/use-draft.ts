// The draft as it is typed: saved by itself after a pause, again after a failure, and never over another admin's change.
import { useCallback, useEffect, useRef, useState } from 'react'
import type { FieldProblems } from '#platform/contract/field-problems.ts'
import { bookDraft, type BookDocument } from '#features/book/contract/book.ts'
import type { DraftState } from '#features/book/contract/drafts.ts'
import { ProblemError } from '../../../api.ts'
import { checkFields } from '../../../check-fields.ts'
import { isOffline, offline } from '../../../copy.ts'
import { useUnsavedChanges } from '../../../use-unsaved-changes.ts'
import { saveDraft } from './calls.ts'
import { forgetCopy, keepCopy, readCopy } from './local-copy.ts'

/** In milliseconds after the last change, and after a failure. */
const [pauseMs, retryMs] = [700, 5_000]

export type SaveStatus =
  | { kind: 'saved' | 'changed' | 'saving' | 'invalid' }
  | { kind: 'failed' | 'conflict'; says: string }

export type Change = (edit: (document: BookDocument) => void) => void

export type Draft = ReturnType<typeof useDraft>

export function useDraft(loaded: DraftState) {
  const [copy] = useState(() => readCopy())
  const [state, setState] = useState(loaded)
  const [document, setDocument] = useState(copy?.document ?? loaded.document)
  const [status, setStatus] = useState<SaveStatus>(() => firstStatus(loaded, copy))
  const [problems, setProblems] = useState<FieldProblems>({})
  const latest = useRef({ document, state })
  /** The document that the server has. */
  const saved = useRef(copy ? undefined : document)
  const sending = useRef<Promise<boolean>>(undefined)
  const { markChanged, markSaved } = useUnsavedChanges()
  useEffect(() => void Object.assign(latest.current, { document, state }), [document, state])

  const change: Change = useCallback(
    (edit) => {
      setDocument((before) => {
        const after = structuredClone(before)
        edit(after)
        return after
      })
      setStatus((before) => (before.kind === 'conflict' ? before : { kind: 'changed' }))
      markChanged()
    },
    [markChanged],
  )

  /** After something else than a save has changed the draft. */
  const accept = useCallback(
    (next: DraftState) => {
      setState(next)
      latest.current.state = next
      latest.current.document = next.document
      saved.current = next.document
      setDocument(next.document)
      setProblems({})
      setStatus({ kind: 'saved' })
      forgetCopy()
      markSaved()
    },
    [markSaved],
  )

  const send = useCallback(async (): Promise<boolean> => {
    const sent = latest.current.document
    const found = checkFields(bookDraft, sent)
    setProblems(found ?? {})
    if (found) {
      setStatus({ kind: 'invalid' })
      return false
    }
    setStatus({ kind: 'saving' })
    try {
      const next = await saveDraft(latest.current.state.revision, sent)
      saved.current = sent
      setState(next)
      latest.current.state = next
      if (latest.current.document === sent) {
        forgetCopy()
        markSaved()
        setStatus({ kind: 'saved' })
      } else setStatus({ kind: 'changed' })
      return true
    } catch (error) {
      setStatus(failureOf(error))
      return false
    }
  }, [markSaved])

  /** One at a time: each names the revision that the one before has made. */
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
    const waits = status.kind === 'saving' || status.kind === 'conflict' || status.kind === 'invalid'
    if (document === saved.current || waits) return undefined
    keepCopy({ revision: latest.current.state.revision, document })
    const timer = setTimeout(() => void save(), status.kind === 'failed' ? retryMs : pauseMs)
    return () => clearTimeout(timer)
  }, [document, status, save])

  /** Keeps this tab's draft where another admin has changed it. */
  const overwrite = useCallback(
    (newest: DraftState) => {
      setState(newest)
      latest.current.state = newest
      saved.current = undefined
      void save()
    },
    [save],
  )

  return { document, state, status, problems, setProblems, change, save, accept, overwrite }
}

function firstStatus(loaded: DraftState, copy: ReturnType<typeof readCopy>): SaveStatus {
  if (!copy) return { kind: 'saved' }
  if (copy.revision === loaded.revision) return { kind: 'changed' }
  return {
    kind: 'conflict',
    says: 'This browser holds changes that were not saved, and the book was changed elsewhere since.',
  }
}

function failureOf(error: unknown): SaveStatus {
  if (error instanceof ProblemError && error.code === 'book.changed_elsewhere')
    return { kind: 'conflict', says: error.message }
  if (isOffline(error)) return { kind: 'failed', says: offline }
  return {
    kind: 'failed',
    says: error instanceof ProblemError ? error.message : 'The shop does not respond.',
  }
}
