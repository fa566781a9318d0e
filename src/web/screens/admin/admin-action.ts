import { ProblemError } from '../../api.ts'
import { failure } from '../../copy.ts'
import { toast, type Toast } from '../../toasts.tsx'
import type { FormResult } from '../../use-action-form.ts'
import { isProofMissing } from '../../proof-dialog.tsx'
import { leaveIfRefused } from './admin-client.ts'

export type CallNotices<Body> = {
  /** A function that returns undefined shows nothing. */
  done?: Toast | ((body: Body) => Toast | undefined | Promise<Toast>) | undefined
  failed: string
}

export async function adminAction<Body>(
  call: () => Promise<Body>,
  { done, failed }: CallNotices<Body>,
): Promise<FormResult> {
  try {
    const body = await call()
    const notice = typeof done === 'function' ? await done(body) : done
    if (notice) toast(notice)
    return { isSaved: true }
  } catch (error) {
    return showFailure(failed, error)
  }
}

/** No toast where the admin canceled the proof. Redirects when the session has ended or the role is gone. */
export function showFailure(title: string, error: unknown): FormResult & { isSaved: false } {
  leaveIfRefused(error)
  if (!isProofMissing(error)) toast(failure(title, error))
  return { isSaved: false, problems: error instanceof ProblemError ? error.fields : undefined }
}
