// Makes an account by the function that the specification names, and says what came of it.
import { textIn, toObject } from '../../../json.ts'
import { accessToken } from '../../../session.ts'
import { toast } from '../../../toasts.tsx'

/** `isDone` false: the form keeps what was typed. */
export async function createUserAction({ request }: { request: Request }): Promise<{ isDone: boolean }> {
  const fields = Object.fromEntries(await request.formData())
  const { displayName, ...account } = fields
  try {
    const token = await accessToken()
    if (!token) return refused('No active session')
    const response = await fetch('/functions/v1/admin-create-user', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ ...account, ...(displayName && { displayName }) }),
    })
    const body = toObject(await response.json())
    if (body['success'] !== true) return refused(textIn(body, 'error') ?? 'Failed to create user')
    toast({ title: 'User Created', description: textIn(body, 'message') ?? '' })
    return { isDone: true }
  } catch {
    return refused('Failed to create user')
  }
}

function refused(description: string): { isDone: boolean } {
  toast({ title: 'Error', description, destructive: true })
  return { isDone: false }
}
