// The calls of the admin area's screens, and the buttons and forms that make them.
import { hc, type ClientResponse } from 'hono/client'
import type { Hono } from 'hono'
import { data, redirect, useRevalidator } from 'react-router'
import { ProblemError, responseOf, searchQuery, type Accepted } from '../../api.ts'
import { save } from '../../browser-download.ts'
import { loadFailure, failure } from '../../notices/send.ts'
import { namedNotice } from '../../notices/named-notice.ts'
import { storedSession } from '../../session/session.ts'
import { toast, type Toast } from '../../notices/toasts.tsx'
import { chosenSeparator } from './csv-separator.tsx'
import { sendWithProof, isProofMissing } from '../proof-dialog.tsx'
import { useEffect, useState, type ComponentProps, type ReactNode } from 'react'
import type { FormResult, useForm } from '../../forms/form.ts'
import { useRedirect } from '../navigation.ts'
import { Button } from '../../components/button.tsx'
import { Confirm } from '../../components/dialog.tsx'
import type { NewExport } from '#contract/reports/exports.ts'
import type { ReportsApi } from '#domains/reports/reports.routes.ts'
import { Download } from '../../components/icons.tsx'
import type { DialogForm } from '../schema-form.tsx'
import type { z } from 'zod'

/** A call whose proof was not given throws the refusal. */
// oxlint-disable-next-line typescript/no-explicit-any -- hc's own bound
export function adminClient<Part extends Hono<any, any, any>>(proofAction = 'Continue') {
  return hc<Part>('/api/admin', { fetch: sendWithProof(proofAction) })
}

/**
 * Undefined after a failure, which the view shows. Throws a 404 for what does not exist and a 422 for an unknown
 * query, for the view's error boundary.
 */
export async function load<Data>(failed: string, read: () => Promise<Data>): Promise<Data | undefined> {
  if (!storedSession()) throw redirect(signInPath())
  try {
    return await read()
  } catch (error) {
    leaveIfRefused(error)
    if (error instanceof ProblemError && (error.status === 404 || error.status === 422))
      throw data(null, { status: error.status })
    toast(loadFailure({ title: 'Error', description: failed }, error))
    return undefined
  }
}

/** One page of a list, as the address narrows it. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- as searchQuery
export function loadPage<Query, Sent extends ClientResponse<unknown>>(
  failed: string,
  { url }: Request,
  call: (query: Query) => Promise<Sent>,
): Promise<Accepted<Sent> | undefined> {
  return load(failed, () => responseOf(call(searchQuery<Query>(new URL(url).searchParams))))
}

export function leaveIfRefused(error: unknown): void {
  if (!(error instanceof ProblemError)) return
  if (error.status === 401 && error.isAfterSignOut) throw redirect('/')
  if (error.status === 401) {
    toast(namedNotice('session-ended'))
    throw redirect(signInPath())
  }
  if (error.code === 'access.forbidden') throw deny()
  if (error.code === 'access.factor_needed') {
    toast({ title: 'A second factor is needed', description: error.message, destructive: true })
    throw redirect('/account')
  }
}

export function deny(): Response {
  toast({ title: 'Access Denied', description: "You don't have admin privileges", destructive: true })
  return redirect('/dashboard')
}

export function signInPath(): string {
  return `/auth?next=${encodeURIComponent(location.pathname + location.search)}`
}

/** Loads the screen again this many milliseconds after the last response, while `isActive`. */
export function useRefresh(isActive: boolean, pauseMs: number): void {
  const { revalidate, state } = useRevalidator()
  useEffect(() => {
    if (!isActive || state !== 'idle') return undefined
    const timer = setTimeout(() => void revalidate(), pauseMs)
    return () => clearTimeout(timer)
  }, [isActive, pauseMs, revalidate, state])
}

/** Loaded data stay on the screen when reloading fails, with the forms that are filled in. */
export function useLastLoaded<Data>(data: Data | undefined): Data | undefined {
  const [last, setLast] = useState(data)
  if (data !== undefined && data !== last) setLast(data)
  return data ?? last
}

type CallNotices<Body> = {
  /** A function that returns undefined shows nothing. */
  done?: Toast | ((body: Body) => Toast | undefined | Promise<Toast>) | undefined
  failed: string
  /** A problem with a field stands beside the field alone, without a toast. */
  isSaidAtFields?: boolean
}

async function adminAction<Body>(
  call: () => Promise<Body>,
  { done, failed, isSaidAtFields }: CallNotices<Body>,
): Promise<FormResult> {
  try {
    const body = await call()
    const notice = typeof done === 'function' ? await done(body) : done
    if (notice) toast(notice)
    return { isSaved: true }
  } catch (error) {
    if (isSaidAtFields && error instanceof ProblemError && error.fields)
      return { isSaved: false, problems: error.fields }
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

/** Makes calls without a route's form: the screen is loaded again after one, unless it has something to show first. */
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
    /** Screen readers say this name where several buttons have the same label. */
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

type ExportButtonProps = { request: NewExport; name?: string; children: ReactNode }

export function ExportButton({ request, name, children }: ExportButtonProps) {
  return (
    <CallButton
      {...(name && { name })}
      look="quiet"
      className="px-3!"
      label={
        <>
          <Download aria-hidden className="size-4.5" />
          {children} (CSV)
        </>
      }
      call={async () => {
        const json = { ...request, separator: chosenSeparator() }
        save((await responseOf(api.exports.$post({ json }))).url)
      }}
      failed="Couldn’t export"
    />
  )
}

type AdminFormProps = ComponentProps<'form'> & {
  state: Pick<ReturnType<typeof useForm>, 'form' | 'isBusy'>
  button: string
  busyButton: string
  children: ReactNode
}

export function AdminForm({ state, button, busyButton, children, ...rest }: AdminFormProps) {
  const { form, isBusy } = state
  return (
    <form {...form} className="p-5" {...rest}>
      <fieldset disabled={isBusy} className="grid gap-5">
        {children}
        <p>
          <Button type="submit">{isBusy ? busyButton : button}</Button>
        </p>
      </fieldset>
    </form>
  )
}

type DialogFormButtonProps<Schema extends z.ZodObject, Body> = CallNotices<Body> &
  Omit<ComponentProps<typeof DialogForm<Schema>>, 'schema' | 'send' | 'onClose'> & {
    /** Called when the dialog opens: a screen without one loads neither forms nor their checks. */
    loadSchema: () => Promise<Schema>
    button: ComponentProps<typeof Button>
    /** The dialog is open from the beginning, as a link to it asks. */
    startsOpen?: boolean
    call: (values: z.output<Schema>) => Promise<Body>
  }

type Loaded<Schema extends z.ZodObject> = { DialogForm: typeof DialogForm<Schema>; schema: Schema }

/** A call with what is entered in a dialog, which this button opens. */
export function DialogFormButton<Schema extends z.ZodObject, Body>(
  props: DialogFormButtonProps<Schema, Body>,
) {
  const { button, startsOpen = false, loadSchema, call, done, failed, ...form } = props
  const [isBusy, run] = useAdminCall()
  const [isLoading, setIsLoading] = useState(false)
  const [opened, setOpened] = useState<Loaded<Schema>>()
  async function open() {
    setIsLoading(true)
    try {
      const [{ DialogForm }, schema] = await Promise.all([import('../schema-form.tsx'), loadSchema()])
      setOpened({ DialogForm, schema })
    } catch (error) {
      showFailure('Couldn’t open the form', error)
    } finally {
      setIsLoading(false)
    }
  }
  useEffect(() => {
    if (startsOpen) void open()
    // oxlint-disable-next-line react/exhaustive-deps -- it opens by itself once
  }, [])
  return (
    <>
      <Button disabled={isBusy || isLoading} onClick={() => void open()} {...button} />
      {opened && (
        <opened.DialogForm
          {...form}
          schema={opened.schema}
          send={(values) => {
            setOpened(undefined)
            void run(() => call(values), { done, failed })
          }}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  )
}
