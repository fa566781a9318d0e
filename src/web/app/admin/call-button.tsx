import { ProblemError, responseOf, save } from '../../api.ts'
import { failure } from '../../copy.ts'
import { toast, type Toast } from '../../toasts.tsx'
import type { FormResult } from '../../form.ts'
import { useRedirect } from '../use-redirect.ts'
import { isProofMissing } from '../proof-dialog.tsx'
import { leaveIfRefused, adminClient } from './admin-client.ts'
import { useState, type ComponentProps, type ReactNode } from 'react'
import { useRevalidator } from 'react-router'
import { Button } from '../../components/button.tsx'
import { Confirm } from '../../components/confirm.tsx'
import type { ExportRequest } from '#contract/operations/sales.ts'
import type { ReportsApi } from '#domains/operations/reports.routes.ts'
import { Download } from '../../components/icons.tsx'

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

type Run = <Body>(call: () => Promise<Body>, notices: CallNotices<Body>) => Promise<FormResult>

/** For a call without a route's form: the screen is loaded again after it, unless it has something to show first. */
export function useAdminCall({ loadsAgain = true } = {}): [isBusy: boolean, run: Run] {
  const { revalidate } = useRevalidator()
  const follow = useRedirect()
  const [isBusy, setIsBusy] = useState(false)
  const run: Run = async (call, notices) => {
    setIsBusy(true)
    let hasResponse = true
    const sent = () =>
      call().catch((error: unknown) => {
        hasResponse = error instanceof ProblemError
        throw error
      })
    try {
      return await follow(async () => {
        const result = await adminAction(sent, notices)
        // A refusal may mean that another admin has changed what is shown.
        if (hasResponse && loadsAgain) await revalidate()
        return result
      })
    } finally {
      setIsBusy(false)
    }
  }
  return [isBusy, run]
}

type CallButtonProps<Body> = Omit<ComponentProps<typeof Button>, 'name' | 'onClick'> &
  CallNotices<Body> & {
    label: ReactNode
    busyLabel?: string
    /** For screen readers, where several buttons have the same label. */
    name?: string
    call: () => Promise<Body>
    /** Asked in a dialog before the call; the children say what follows from it. */
    question?: { title: string; action: string; isDanger?: boolean }
  }

export function CallButton<Body>(props: CallButtonProps<Body>) {
  const { label, busyLabel, name, call, done, failed, question, disabled, children, ...rest } = props
  const [isBusy, run] = useAdminCall()
  const [isAsking, setIsAsking] = useState(false)
  function start() {
    setIsAsking(false)
    void run(call, { done, failed })
  }
  return (
    <>
      <Button
        look="outline"
        aria-label={name}
        disabled={disabled || isBusy}
        onClick={() => (question ? setIsAsking(true) : start())}
        {...rest}
      >
        {isBusy && busyLabel ? busyLabel : label}
      </Button>
      {question && isAsking && (
        <Confirm {...question} onClose={() => setIsAsking(false)} onConfirm={start}>
          {children}
        </Confirm>
      )}
    </>
  )
}

const api = adminClient<ReportsApi>()

type ExportButtonProps = { request: ExportRequest; name?: string; children: ReactNode }

export function ExportButton({ request, name, children }: ExportButtonProps) {
  return (
    <CallButton
      {...(name && { name })}
      label={
        <>
          <Download aria-hidden className="size-4.5" />
          {children} (CSV)
        </>
      }
      call={async () => save((await responseOf(api.exports.$post({ json: request }))).url)}
      failed="Couldn’t export"
    />
  )
}
