// A question in a dialog that stays until its answer is accepted.
import { useState } from 'react'

type Answer<Problems> = { problems: Problems | undefined }

/** `answer` is what the action said last; one that came before the question was opened is no answer to it. */
export function useQuestion<Problems>(answer: Answer<Problems> | undefined, isOpenAtFirst = false) {
  const [opened, setOpened] = useState<{ before: Answer<Problems> | undefined } | undefined>(
    isOpenAtFirst ? { before: answer } : undefined,
  )
  const said = opened && answer !== opened.before ? answer : undefined
  const isAccepted = said !== undefined && !said.problems
  return {
    isOpen: opened !== undefined && !isAccepted,
    problems: said?.problems,
    open: () => setOpened({ before: answer }),
    close: () => setOpened(undefined),
  }
}
