// A form that changes what asks for a recent proof: what was entered stays while the proof is given in a dialog.
import { useEffect, useRef, useState } from 'react'
import { useNavigation, useSubmit } from 'react-router'
import type { FieldProblems } from '#platform/contract/field-problems.ts'
import { useFocusBack, useFocusWrong } from '../../../focus-back.ts'
import { useUnsavedChanges } from '../../../use-unsaved-changes.ts'
import type { AskedProof } from '../proof-fields.tsx'
import { ProofDialog } from '../proof-dialog.tsx'

/** What came of it. */
export type ProvenResult =
  | { isSaved: true }
  | { isSaved: false; problems?: FieldProblems | undefined; proof?: AskedProof }

type ProvenForm = {
  result: ProvenResult | undefined
  /** Afterwards the form is empty, for the next. */
  isEmptied?: boolean
  /** What is sent again, where it was not the form. */
  sent?: Record<string, string> | undefined
}

export function useProvenForm({ result, isEmptied = false, sent }: ProvenForm) {
  const form = useRef<HTMLFormElement>(null)
  const submit = useSubmit()
  const isBusy = useNavigation().formMethod !== undefined
  /** The admin has given up proving who asked for this one. */
  const [closed, setClosed] = useState<ProvenResult>()
  const failed = result?.isSaved === false ? result : undefined
  useFocusBack(form, isBusy)
  useFocusWrong(form, failed?.problems)
  const { markChanged, markSaved } = useUnsavedChanges()
  useEffect(() => {
    if (!result?.isSaved) return
    if (isEmptied) form.current?.reset()
    markSaved()
  }, [result, isEmptied, markSaved])

  function sendWith(proof: FormData) {
    const data = new FormData(sent ? undefined : (form.current ?? undefined))
    for (const [name, value] of [...Object.entries(sent ?? {}), ...proof]) data.set(name, value)
    void submit(data, { method: 'post' })
  }

  const proofDialog = failed?.proof && closed !== result && (
    <ProofDialog
      wrong={failed.proof.wrong}
      isBusy={isBusy}
      onSend={sendWith}
      onClose={() => setClosed(result)}
    />
  )
  return { form, isBusy, problems: failed?.problems, markChanged, proofDialog }
}
