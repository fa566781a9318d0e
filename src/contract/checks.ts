// The verdict of a check on a part of the shop: whether it works, in words, and where to act.
import { z } from 'zod'

export const verdict = z.object({
  /** `wrong` is what stops sales, mail or saving, `warn` what should be changed, `open` what could not be looked at. */
  state: z.enum(['ok', 'warn', 'wrong', 'open']),
  /** A clause: it begins in lower case and has no stop. */
  says: z.string(),
  /** Whole sentences, or nothing. */
  advice: z.string(),
  /** The words of the server that refused. */
  answer: z.string().optional(),
  /** The effect on visitors as long as it stays so, as a clause. */
  effect: z.string().optional(),
  /** Screens of the admin area, or pages elsewhere by their full address. */
  actions: z.array(z.object({ label: z.string(), to: z.string() })),
})
export type Verdict = z.infer<typeof verdict>

type Details = Partial<Pick<Verdict, 'answer' | 'effect' | 'actions'>>

const judge =
  (state: Verdict['state']) =>
  (says: string, advice = '', details: Details = {}): Verdict => ({
    state,
    says,
    advice,
    actions: [],
    ...details,
  })

export const ok = judge('ok')
export const warn = judge('warn')
export const wrong = judge('wrong')
export const unknown = judge('open')
