import { useState } from 'react'

type Answer<Problems> = { problems: Problems | undefined }

export function useQuestion<Problems>(response: Answer<Problems> | undefined, isOpenAtFirst = false) {
  const [opened, setOpened] = useState<{ before: Answer<Problems> | undefined } | undefined>(
    isOpenAtFirst ? { before: response } : undefined,
  )
  const current = opened && response !== opened.before ? response : undefined
  const isAccepted = current !== undefined && !current.problems
  return {
    isOpen: opened !== undefined && !isAccepted,
    problems: current?.problems,
    open: () => setOpened({ before: response }),
    close: () => setOpened(undefined),
  }
}
