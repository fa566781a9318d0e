import type { UsersApi } from '#features/users/routes.ts'
import { adminAction } from '../admin-action.ts'
import { adminClient } from '../admin-client.ts'
import { giveProof, type ProofProblem } from '../proof-fields.tsx'

const api = adminClient<UsersApi>()

export type ResetResult = { isSaved: boolean; wrong?: ProofProblem }

export async function sendFactorReset(id: string, form: FormData): Promise<ResetResult> {
  const wrong = await giveProof(form)
  if (wrong) return { isSaved: false, wrong }
  return adminAction(() => api.users[':id']['factor-reset'].$post({ param: { id }, json: {} }), {
    done: { title: 'Second Factor Reset' },
    failed: 'Couldn’t reset',
  })
}
