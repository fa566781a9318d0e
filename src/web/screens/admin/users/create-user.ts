import { createUserRequest } from '#features/accounts/contract/accounts.ts'
import { problemCodeHeader } from '#platform/contract/problems.ts'
import { textIn, toObject, type JsonObject } from '../../../json.ts'
import { parseForm } from '../../../read-form.ts'
import { accessToken } from '../../../session.ts'
import type { FormResult } from '../../../use-action-form.ts'
import { toast } from '../../../toasts.tsx'
import { isProofNeeded } from '../admin-client.ts'
import { askForProof } from '../proof-dialog.tsx'

export async function createUserAction({ request }: { request: Request }): Promise<FormResult> {
  const { values: json, problems } = parseForm(createUserRequest, await request.formData())
  if (problems) return { isSaved: false, problems }
  try {
    const call = () => invoke(JSON.stringify(json))
    let { body, code } = await call()
    if (isProofNeeded(code) && (await askForProof('Continue'))) ({ body, code } = await call())
    if (body['success'] !== true) return refused(textIn(body, 'error') ?? 'Failed to create user')
    toast({ title: 'User Created', description: textIn(body, 'message') ?? '' })
    return { isSaved: true }
  } catch {
    return refused('Failed to create user')
  }
}

async function invoke(body: string): Promise<{ body: JsonObject; code?: string | undefined }> {
  const token = await accessToken()
  if (!token) return { body: { error: 'No active session' } }
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const response = await fetch('/functions/v1/admin-create-user', { method: 'POST', headers, body })
  const code = response.headers.get(problemCodeHeader) ?? undefined
  return { body: toObject(await response.json()), code }
}

function refused(description: string): FormResult {
  toast({ title: 'Error', description, destructive: true })
  return { isSaved: false }
}
