// What the server found wrong with a form that was posted without scripts.
import { createContext } from 'react'
import type { FieldProblems } from '#contract/field-problems.ts'

export type FormAnswer = {
  /** The form's address. */
  action: string
  values: Readonly<Record<string, string>>
  problems?: FieldProblems | undefined
  /** It has arrived. */
  isSent?: boolean
  /** What is wrong with none of its fields. */
  notice?: string | undefined
}

export const FormAnswerContext = createContext<FormAnswer | undefined>(undefined)
