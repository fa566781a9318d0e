// What the server found wrong with a form that was posted without scripts.
import { createContext } from 'react'
import type { FormAnswer } from '#pages/page-answer.ts'

export const FormAnswerContext = createContext<FormAnswer | undefined>(undefined)
