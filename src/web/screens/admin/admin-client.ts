import { hc } from 'hono/client'
import type { Hono } from 'hono'
import { ProblemError, send } from '../../api.ts'
import { askForProof } from './proof-dialog.tsx'

/** A call whose proof was not given throws the refusal. */
// oxlint-disable-next-line typescript/no-explicit-any -- hc's own bound
export function adminClient<Part extends Hono<any, any, any>>(proofAction = 'Continue') {
  const sendWithProof: typeof fetch = async (input, init) => {
    try {
      return await send(input, init)
    } catch (error) {
      if (!isProofMissing(error) || !(await askForProof(proofAction))) throw error
      return send(input, init)
    }
  }
  return hc<Part>('/api/admin', { fetch: sendWithProof })
}

export function isProofMissing(error: unknown): boolean {
  return error instanceof ProblemError && isProofNeeded(error.code)
}

export function isProofNeeded(code: string | undefined): boolean {
  return code === 'auth.reauthentication_needed' || code === 'auth.insufficient_aal'
}
