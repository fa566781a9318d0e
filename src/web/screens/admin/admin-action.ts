import { ProblemError } from '../../api.ts'
import { failure } from '../../copy.ts'
import { toast, type Toast } from '../../toasts.tsx'
import type { FormResult } from '../../use-action-form.ts'
import { isProofMissing } from './admin-client.ts'
import { leaveIfRefused } from './load.ts'

type Notices<Body> = {
  done?: Toast | ((body: Body) => Toast | Promise<Toast>)
  failed: string
}

export async function adminAction<Body>(
  call: () => Promise<Body>,
  { done, failed }: Notices<Body>,
): Promise<FormResult> {
  try {
    const body = await call()
    if (done) toast(typeof done === 'function' ? await done(body) : done)
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
