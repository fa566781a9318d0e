// A verdict in sentences. Without schemas: pages read it that check no form.
import type { Verdict } from './checks.ts'

/** The clause after `begun`, as "Yes: ", or as a sentence; then what was answered and the advice. */
export function describeVerdict({ says, answer, advice }: Verdict, begun = ''): string {
  return joinSentences(begun ? begun + says : toSentence(says), answer && `It says: ${answer}`, advice)
}

/** An address begins as it is. */
export function toSentence(clause: string): string {
  return /^https?:/.test(clause) ? clause : clause.slice(0, 1).toUpperCase() + clause.slice(1)
}

export function joinSentences(...parts: (string | undefined)[]): string {
  return parts.flatMap((part) => (part ? [/[.?!]$/.test(part) ? part : `${part}.`] : [])).join(' ')
}
