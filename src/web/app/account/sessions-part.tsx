import { accountTexts } from '#words/account.ts'
import { fill } from '#words/fill.ts'
import { hc } from 'hono/client'
import { useFetcher } from 'react-router'
import type { OwnSession } from '#contract/accounts/accounts.ts'
import type { Api } from '../../../app.ts'
import { signOutOthers } from '../../accounts.ts'
import { responseOf } from '../../api.ts'
import { failure } from '../../copy.ts'
import { readText } from '../../form.ts'
import { formatDate, formatMoment } from '../../format.tsx'
import { isProofMissing, sendWithProof } from '../proof-dialog.tsx'
import { toast } from '../../toasts.tsx'
import type { FormResult } from '../../form.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { change, leaveIfSignedOut } from './profile-part.tsx'

const { account } = hc<Api>('/api', { fetch: sendWithProof() })

export async function endSession(form: FormData): Promise<FormResult> {
  const { ended, couldNotEnd } = accountTexts.sessions
  try {
    await responseOf(account.sessions[':id'].$delete({ param: { id: readText(form, 'id') } }))
  } catch (error) {
    leaveIfSignedOut(error)
    if (!isProofMissing(error)) toast(failure(couldNotEnd, error))
    return { isSaved: false }
  }
  toast({ title: ended })
  return { isSaved: true }
}

export function endOtherSessions(): Promise<FormResult> {
  const { othersEnded, couldNotEnd } = accountTexts.sessions
  return change(signOutOthers, { done: { title: othersEnded }, failed: couldNotEnd })
}

export function SessionsPart({ sessions }: { sessions: readonly OwnSession[] }) {
  const fetcher = useFetcher<FormResult>()
  const { title, text, end, endOthers } = accountTexts.sessions
  const isBusy = fetcher.state !== 'idle'
  const submit = (fields: Record<string, string>) => void fetcher.submit(fields, { method: 'post' })
  return (
    <Card title={title}>
      <p className="border-b border-line p-5 text-pretty text-soft">{text}</p>
      <ul className="divide-y divide-line">
        {sessions.map((session) => (
          <li key={session.id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-5">
            <SessionText session={session} />
            {!session.is_current && (
              <Button
                look="outline"
                disabled={isBusy}
                aria-label={`${end}: ${nameOf(session)}`}
                onClick={() => submit({ intent: 'session', id: session.id })}
              >
                {end}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 2 && (
        <p className="border-t border-line p-5">
          <Button
            look="outline"
            disabled={isBusy}
            className="max-sm:w-full"
            onClick={() => submit({ intent: 'sessions' })}
          >
            {endOthers}
          </Button>
        </p>
      )}
    </Card>
  )
}

function nameOf({ browser, system }: OwnSession): string {
  const { browserOn, unknownBrowser } = accountTexts.sessions
  const name = browser ?? unknownBrowser
  return system ? fill(browserOn, { browser: name, system }) : name
}

function SessionText({ session }: { session: OwnSession }) {
  const { isCurrent, seen } = accountTexts.sessions
  const { signed_in_at, last_seen_at } = session
  return (
    <div className="min-w-0">
      <h3 className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold wrap-anywhere">
        {nameOf(session)}
        {session.is_current && <Badge>{isCurrent}</Badge>}
      </h3>
      <p className="mt-1 text-sm text-soft">
        {fill(seen, { date: formatDate(signed_in_at), time: formatMoment(last_seen_at) })}
      </p>
    </div>
  )
}
